import type { Tx } from "@/lib/engine/db";
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
import { warnUser } from "../../mail/enqueue";
import { restartWaits } from "../../transfers/answer";
import { endTransfersOf } from "../../transfers/complete";
import { notifyAgents } from "../../webhooks/notify-agents";
import { pauseWebhooksOf } from "../../webhooks/pause";
import { administer } from "../administer";

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
  await administer(ctx, demands, async ({ tx, record }) => {
    const { role, state } = await loadUser(tx, userId);
    const after = { role, state, ...to };
    if (after.role === role && after.state === state) return;
    if (isRunning({ role, state }) && !isRunning(after)) await refuseLast(tx, userId);
    await tx.user.update({ where: { id: userId }, data: after, select: { id: true } });
    await lockAgentsOf(tx, userId);
    const whose = { userId, now: ctx.now };
    const agents: string[] = [];
    // The user holds the private keys of their agents.
    if (after.state === "suspended") {
      agents.push(...(await suspendAgentsOf(tx, { ...whose, of: "suspendedUser" })));
    } else if (state === "suspended") {
      agents.push(...(await resumeAgentsOf(tx, { ...whose, of: "suspendedUser" })));
      await restartWaits(tx, whose);
    }
    if (isRunning(after)) {
      agents.push(...(await resumeAgentsOf(tx, { ...whose, of: "suspendedAdmin" })));
    }
    // Nothing that a former admin issued takes effect later, and their keys end.
    const ended: { revokedKeys?: number; suspendedAgents?: number; pausedWebhooks?: number } = {};
    if (!isRunning(after)) {
      if (role === "admin") {
        const of = after.role === role ? "suspendedAdmin" : "demotedAdmin";
        const suspended = await suspendAgentsOf(tx, { ...whose, of });
        if (suspended.length > 0) ended.suspendedAgents = suspended.length;
        agents.push(...suspended);
      }
      const count = await revokeKeysBy(tx, whose);
      if (count > 0) ended.revokedKeys = count;
      await tx.oneTimeLink.deleteMany({ where: { createdBy: userId, usedAt: null } });
      await endTransfersOf(tx, {
        ...{ ctx, userId, as: ["requestedBy"], verb: "withdrawTransfer" },
      });
      const paused = await pauseWebhooksOf(tx, { ...whose, because: "formerAdmin" });
      if (paused > 0) ended.pausedWebhooks = paused;
    }
    if (after.state === "suspended") {
      await tx.session.deleteMany({ where: { userId } });
    }
    const before = { role, state };
    await record({ verb, subjectId: userId, before, after: { ...after, ...ended } });
    await recordForOwner(tx, { ctx, userId, event: { verb, detail: after } });
    if (after.role !== role) await warnUser(tx, { now: ctx.now, userId, event: "role_changed" });
    await notifyAgents(tx, ctx.now, { agents });
  });
}

/** Whether this is an admin who can sign in. */
function isRunning({ role, state }: Pick<User, "role" | "state">): boolean {
  return role === "admin" && state === "active";
}

/** Loads an account that the transaction has locked. */
export async function loadUser(tx: Tx, userId: string): Promise<User> {
  const select = { id: true, email: true, role: true, state: true };
  const user = await tx.user.findUnique({ where: { id: userId }, select });
  if (user === null) throw notFound("user");
  return user;
}

/** Under the admins' lock: refuses to leave the gateway without an admin. */
export async function refuseLast(tx: Tx, userId: string): Promise<void> {
  if (!(await isLastAdmin(tx, userId))) return;
  const message = "This is the last admin. Make another one first; nothing was changed.";
  throw invalidRequest([{ path: "form", message }]);
}
