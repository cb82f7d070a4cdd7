import type { PoolClient } from "pg";
import { inTransaction } from "@/lib/engine/db";
import { forbidden } from "@/lib/protocol/errors";
import { mayAdminister } from "@/lib/rules/may";
import { lockAdmins } from "../accounts/admins";
import { type AdminEventDraft, recordAdmin } from "../audit/record";
import type { Ctx } from "../context";

export interface Administering {
  client: PoolClient;
  /** What was done, in the transaction that does it; tells the event's id. */
  record: (event: AdminEventDraft) => Promise<string>;
}

/** The first line of every verb that only reads. */
export function refuseOthers({ caller }: Ctx): void {
  const permit = mayAdminister(caller);
  if (!permit.allowed) throw forbidden(permit.message);
}

type Work<T> = (administering: Administering) => Promise<T>;

/**
 * The first line of every verb of an admin's that changes something. The role is asked for again in
 * the transaction: one who is being demoted at this moment changes nothing any more.
 */
export async function administer<T>(ctx: Ctx, work: Work<T>): Promise<T> {
  return asAdmin(ctx, work, isAdminNow);
}

/** The same for who is an admin: two who remove each other come one after the other. */
export async function administerUsers<T>(ctx: Ctx, work: Work<T>): Promise<T> {
  return asAdmin(ctx, work, async (client, userId) => {
    await lockAdmins(client);
    return isAdminNow(client, userId);
  });
}

async function isAdminNow(client: PoolClient, userId: string | null): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM "User" WHERE id = $1 AND role = 'admin' AND state = 'active' FOR SHARE`,
    [userId],
  );
  return rowCount !== 0;
}

type StillAdmin = (client: PoolClient, userId: string | null) => Promise<boolean>;

async function asAdmin<T>(ctx: Ctx, work: Work<T>, isStill: StillAdmin): Promise<T> {
  refuseOthers(ctx);
  const userId = ctx.caller.kind === "person" ? ctx.caller.userId : null;
  return inTransaction(ctx.pool, async (client) => {
    const isAdmin = await isStill(client, userId);
    if (userId !== null && !isAdmin) throw forbidden("Only an admin may do this.");
    return work({ client, record: (event) => recordAdmin(client, { ctx, event }) });
  });
}
