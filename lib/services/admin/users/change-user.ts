import type { PoolClient } from "pg";
import type { Role, UserState } from "@/lib/engine/prisma-client/enums";
import { invalidRequest, notFound } from "@/lib/protocol/errors";
import { isLastAdmin } from "../../accounts/admins";
import {
  lockAgentsOf,
  resumeAgentsOf,
  revokeKeysBy,
  suspendAgentsOf,
} from "../../agents/agents-of";
import { recordForOwner } from "../../audit/record-for-owner";
import type { Ctx } from "../../context";
import { restartWaits } from "../../transfers/answer";
import { endTransfersOf } from "../../transfers/complete";
import { type Administering, administer } from "../administer";

interface User {
  id: string;
  email: string;
  role: Role;
  state: UserState;
}

/** Their sessions die in the same transaction; agents they connected go on as the policies say. */
export async function suspendUser(ctx: Ctx, userId: string): Promise<void> {
  await changeUser(ctx, { verb: "suspendUser", userId, to: { state: "suspended" } });
}

export async function resumeUser(ctx: Ctx, userId: string): Promise<void> {
  await changeUser(ctx, { verb: "resumeUser", userId, to: { state: "active" } });
}

export async function changeRole(
  ctx: Ctx,
  { userId, role }: { userId: string; role: Role },
): Promise<void> {
  await changeUser(ctx, { verb: "changeRole", userId, to: { role } });
}

interface Change {
  verb: "suspendUser" | "resumeUser" | "changeRole";
  userId: string;
  to: Partial<Pick<User, "role" | "state">>;
}

async function changeUser(ctx: Ctx, { verb, userId, to }: Change): Promise<void> {
  const demands = { admins: true, users: [userId] };
  await administer(ctx, demands, async ({ client, record }) => {
    const { role, state } = await loadUser(client, userId);
    const after = { role, state, ...to };
    if (after.role === role && after.state === state) return;
    if (isRunning({ role, state }) && !isRunning(after)) await refuseLast(client, userId);
    await client.query(`UPDATE "User" SET role = $2, state = $3 WHERE id = $1`, [
      userId,
      after.role,
      after.state,
    ]);
    await lockAgentsOf(client, userId);
    const whose = { userId, now: ctx.now };
    // The private keys of their agents are theirs.
    if (after.state === "suspended")
      await suspendAgentsOf(client, { ...whose, of: "suspendedUser" });
    else if (state === "suspended") {
      await resumeAgentsOf(client, { ...whose, of: "suspendedUser" });
      await restartWaits(client, whose);
    }
    if (isRunning(after)) await resumeAgentsOf(client, { ...whose, of: "suspendedAdmin" });
    // Nothing that a former admin handed out or asked for takes effect later, and no key of theirs goes on.
    const ended: { revokedKeys?: number; suspendedAgents?: number } = {};
    if (!isRunning(after)) {
      if (role === "admin") {
        const of = after.role === role ? "suspendedAdmin" : "demotedAdmin";
        const count = await suspendAgentsOf(client, { ...whose, of });
        if (count > 0) ended.suspendedAgents = count;
      }
      const count = await revokeKeysBy(client, whose);
      if (count > 0) ended.revokedKeys = count;
      await client.query(`DELETE FROM "OneTimeLink" WHERE "createdBy" = $1 AND "usedAt" IS NULL`, [
        userId,
      ]);
      await endTransfersOf(client, {
        ...{ ctx, userId, as: ["requestedBy"], verb: "withdrawTransfer" },
      });
    }
    if (after.state === "suspended") {
      await client.query(`DELETE FROM "Session" WHERE "userId" = $1`, [userId]);
    }
    await record({
      verb,
      subjectId: userId,
      before: { role, state },
      after: { ...after, ...ended },
    });
    await recordForOwner(client, { ctx, userId, event: { verb, detail: after } });
  });
}

/** Whoever looks after the gateway: an admin who can sign in. */
function isRunning({ role, state }: Pick<User, "role" | "state">): boolean {
  return role === "admin" && state === "active";
}

/** Loads an account that the transaction has locked. */
export async function loadUser(client: PoolClient, userId: string): Promise<User> {
  const { rows } = await client.query<User>(
    `SELECT id, email, role, state FROM "User" WHERE id = $1`,
    [userId],
  );
  const [user] = rows;
  if (user === undefined) throw notFound("user");
  return user;
}

/** In a change that locks who is an admin: the gateway is never left without an admin. */
export async function refuseLast(client: Administering["client"], userId: string): Promise<void> {
  if (!(await isLastAdmin(client, userId))) return;
  const message = "This is the last admin. Make another one first; nothing was changed.";
  throw invalidRequest([{ path: "form", message }]);
}
