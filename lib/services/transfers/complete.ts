import type { PoolClient } from "pg";
import { type RevokeInput, revokeCredentials } from "../access/revoke-credentials";
import { profilesPerUserMax } from "../accounts/new-profile";
import { profileSubject, record, recordAdmin } from "../audit/record";
import { recordForOwner } from "../audit/record-for-owner";
import type { Ctx } from "../context";
import { switchOffOwnRules } from "../policies/own-rules";
import type { Transfer } from "./transfer";

/**
 * Whether a transfer takes effect now: the new owner accepted, and the present one did, or could have answered and did
 * not in time.
 */
export function isDue(transfer: Transfer, now: Date): boolean {
  const { acceptedByOwnerAt, acceptedByNewAt, effectiveAt, ownerIsSuspended } = transfer;
  if (acceptedByNewAt === null) return false;
  return acceptedByOwnerAt !== null || (effectiveAt <= now && !ownerIsSuspended);
}

/**
 * Part of a transaction that has locked the transfer: hands the profile over with all that it holds. Its signing keys,
 * connection tokens and receipts are revoked and the rules that open something are switched off, as the former owner
 * may run the agents that have them. Returns false, and ends the transfer, if it is no longer possible.
 */
export async function completeTransfer(
  client: PoolClient,
  callersCtx: Ctx,
  transfer: Transfer,
): Promise<boolean> {
  const ctx: Ctx = { ...callersCtx, caller: { kind: "gateway" } };
  const { profile, fromUserId, toUserId } = transfer;
  if (!(await isPossible(client, transfer))) {
    await endTransfer(client, { ctx, transfer, verb: "voidTransfer" });
    return false;
  }
  await client.query(`DELETE FROM "Transfer" WHERE "profileId" = $1`, [profile.id]);
  await client.query(`UPDATE "Profile" SET "ownerId" = $2, "updatedAt" = $3 WHERE id = $1`, [
    profile.id,
    toUserId,
    ctx.now,
  ]);
  const revoked = await endAccess(client, { profile, now: ctx.now });
  const verb = "transferProfile";
  const [before, after] = [{ ownerId: fromUserId }, { ownerId: toUserId }];
  const subjectId = profileSubject(profile.id);
  await recordAdmin(client, { ctx, event: { verb, subjectId, before, after } });
  await record(client, { ctx, profile, event: { verb, detail: { ...after, revoked } } });
  // The log has a new reader, so the former owner reads of it in what is left to them.
  const event = { verb: "transferOtherProfile" };
  await recordForOwner(client, { ctx, userId: fromUserId, event });
  return true;
}

// The tokens first: their grants end with them, and are no rules of the owner's own.
async function endAccess(client: PoolClient, input: RevokeInput) {
  const { profile, now } = input;
  const credentials = await revokeCredentials(client, input);
  const policies = await switchOffOwnRules(client, { profileId: profile.id, now });
  const { rowCount } = await client.query(
    `UPDATE "Receipt" SET "revokedAt" = $2
     WHERE "profileId" = $1 AND "revokedAt" IS NULL AND "expiresAt" > $2`,
    [profile.id, now],
  );
  return { ...credentials, policies, receipts: rowCount ?? 0 };
}

async function isPossible(client: PoolClient, transfer: Transfer): Promise<boolean> {
  const { profile, fromUserId, toUserId } = transfer;
  const { rowCount } = await client.query(
    `SELECT FROM "User" u WHERE u.id = $1 AND u.state = 'active'
       AND (SELECT count(*) FROM "Profile" p WHERE p."ownerId" = u.id) < $2`,
    [toUserId, profilesPerUserMax],
  );
  return rowCount !== 0 && profile.ownerId === fromUserId;
}

interface Ending {
  ctx: Ctx;
  transfer: Pick<Transfer, "profile">;
  verb: "refuseTransfer" | "voidTransfer" | "withdrawTransfer";
  by?: "newOwner";
}

/** Part of a transaction: the transfer is over, and the profile stays where it is. */
export async function endTransfer(
  client: PoolClient,
  { ctx, transfer: { profile }, verb, by }: Ending,
): Promise<void> {
  await client.query(`DELETE FROM "Transfer" WHERE "profileId" = $1`, [profile.id]);
  await recordStep(client, { ctx, profile, verb, by });
}

interface EndingOf {
  ctx: Ctx;
  userId: string;
  as: readonly ("requestedBy" | "toUserId")[];
  verb: Ending["verb"];
}

/** Part of a transaction that has locked the account: ends the transfers that it requested, or that go to it. */
export async function endTransfersOf(
  client: PoolClient,
  { ctx, userId, as, verb }: EndingOf,
): Promise<void> {
  const isMeant = `$1 IN (${as.map((column) => `"${column}"`).join(", ")})`;
  const { rows } = await client.query<Transfer["profile"]>(
    `SELECT id, did, "ownerId", state FROM "Profile"
     WHERE id IN (SELECT "profileId" FROM "Transfer" WHERE ${isMeant}) ORDER BY id FOR NO KEY UPDATE`,
    [userId],
  );
  for (const profile of rows) {
    const { rowCount } = await client.query(
      `DELETE FROM "Transfer" WHERE "profileId" = $2 AND ${isMeant}`,
      [userId, profile.id],
    );
    // It may have ended while its profile was being locked.
    if (rowCount !== 0) await recordStep(client, { ctx, profile, verb });
  }
}

interface Step {
  ctx: Ctx;
  profile: Transfer["profile"];
  verb: string;
  by?: "newOwner";
}

/** Records what became of a transfer in the log of the profile and in the log of admins. */
export async function recordStep(
  client: PoolClient,
  { ctx, profile, verb, by }: Step,
): Promise<void> {
  await recordAdmin(client, { ctx, event: { verb, subjectId: profileSubject(profile.id) } });
  // The new owner is nobody in this log as long as the profile is not theirs.
  const seen: Ctx = by === undefined ? ctx : { ...ctx, caller: { kind: "nobody" } };
  const detail = by === undefined ? {} : { by };
  await record(client, { ctx: seen, profile, event: { verb, detail } });
}
