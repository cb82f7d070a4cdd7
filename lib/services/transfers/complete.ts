import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { type RevokeInput, revokeCredentials } from "../access/revoke-credentials";
import { profilesPerUserMax } from "../accounts/new-profile";
import { profileSubject, record, recordAdmin } from "../audit/record";
import { recordForOwner } from "../audit/record-for-owner";
import type { Ctx } from "../context";
import { switchOffOwnRules } from "../policies/own-rules";
import { endDelegations } from "../proposals/rules/end-delegations";
import { notifyAgents } from "../webhooks/notify-agents";
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
 * Part of a transaction that has locked the transfer: hands over the profile with everything in it. Revokes its
 * keys, tokens and receipts, and switches off rules that open something, because the former owner may run those
 * agents. Returns false, and ends the transfer, if it is no longer possible.
 */
export async function completeTransfer(
  tx: Tx,
  callersCtx: Ctx,
  transfer: Transfer,
): Promise<boolean> {
  const ctx: Ctx = { ...callersCtx, caller: { kind: "gateway" } };
  const { profile, fromUserId, toUserId } = transfer;
  if (!(await isPossible(tx, transfer))) {
    await endTransfer(tx, { ctx, transfer, verb: "voidTransfer" });
    return false;
  }
  await tx.transfer.deleteMany({ where: { profileId: profile.id } });
  const data = { ownerId: toUserId, updatedAt: ctx.now };
  await tx.profile.update({ where: { id: profile.id }, data, select: { id: true } });
  const { ended, revoked } = await endAccess(tx, { profile, now: ctx.now });
  const verb = "transferProfile";
  const [before, after] = [{ ownerId: fromUserId }, { ownerId: toUserId }];
  const subjectId = profileSubject(profile.id);
  await recordAdmin(tx, { ctx, event: { verb, subjectId, before, after } });
  await record(tx, { ctx, profile, event: { verb, detail: { ...after, revoked } } });
  // The log has a new reader, so the former owner is told in their remaining profiles.
  const event = { verb: "transferOtherProfile" };
  await recordForOwner(tx, { ctx, userId: fromUserId, event });
  await notifyAgents(tx, ctx.now, ended);
  return true;
}

// The tokens first: their grants end with them, and are no rules of the owner's own.
async function endAccess(tx: Tx, input: RevokeInput) {
  const { profile, now } = input;
  const credentials = await revokeCredentials(tx, input);
  const policies = await switchOffOwnRules(tx, { profileId: profile.id, now });
  const rows = await tx.receipt.updateManyAndReturn({
    where: { profileId: profile.id, revokedAt: null, expiresAt: { gt: now } },
    data: { revokedAt: now },
    select: { id: true },
  });
  const delegations = await endDelegations(tx, { profileId: profile.id, now });
  const { tokens } = credentials;
  const ended = { tokens, policies, receipts: rows.map(({ id }) => id) };
  return { ended, revoked: { ...credentials, policies, receipts: rows.length, delegations } };
}

async function isPossible(tx: Tx, transfer: Transfer): Promise<boolean> {
  const { profile, fromUserId, toUserId } = transfer;
  if (profile.ownerId !== fromUserId) return false;
  if ((await tx.user.count({ where: { id: toUserId, state: "active" } })) === 0) return false;
  return (await tx.profile.count({ where: { ownerId: toUserId } })) < profilesPerUserMax;
}

interface Ending {
  ctx: Ctx;
  transfer: Pick<Transfer, "profile">;
  verb: "refuseTransfer" | "voidTransfer" | "withdrawTransfer";
  by?: "newOwner";
}

/** Part of a transaction: the transfer is over, and the profile stays where it is. */
export async function endTransfer(
  tx: Tx,
  { ctx, transfer: { profile }, verb, by }: Ending,
): Promise<void> {
  await tx.transfer.deleteMany({ where: { profileId: profile.id } });
  await recordStep(tx, { ctx, profile, verb, by });
}

interface EndingOf {
  ctx: Ctx;
  userId: string;
  as: readonly ("requestedBy" | "toUserId")[];
  verb: Ending["verb"];
}

const columns = { requestedBy: Prisma.sql`"requestedBy"`, toUserId: Prisma.sql`"toUserId"` };

/** Part of a transaction that has locked the account: ends the transfers that it requested, or that go to it. */
export async function endTransfersOf(tx: Tx, { ctx, userId, as, verb }: EndingOf): Promise<void> {
  const isMeant = Prisma.join(
    as.map((column) => Prisma.sql`${columns[column]} = ${userId}`),
    " OR ",
    "(",
    ")",
  );
  const rows = await tx.$queryRaw<
    Transfer["profile"][]
  >`SELECT id, did, "ownerId", state FROM "Profile"
     WHERE id IN (SELECT "profileId" FROM "Transfer" WHERE ${isMeant}) ORDER BY id FOR NO KEY UPDATE`;
  for (const profile of rows) {
    const rowCount =
      await tx.$executeRaw`DELETE FROM "Transfer" WHERE "profileId" = ${profile.id} AND ${isMeant}`;
    // It may have ended while its profile was being locked.
    if (rowCount !== 0) await recordStep(tx, { ctx, profile, verb });
  }
}

interface Step {
  ctx: Ctx;
  profile: Transfer["profile"];
  verb: string;
  by?: "newOwner";
}

/** Records a step of a transfer in the profile's log and in the admins' log. */
export async function recordStep(tx: Tx, { ctx, profile, verb, by }: Step): Promise<void> {
  await recordAdmin(tx, { ctx, event: { verb, subjectId: profileSubject(profile.id) } });
  // The new owner is anonymous in this log until the profile is theirs.
  const seen: Ctx = by === undefined ? ctx : { ...ctx, caller: { kind: "nobody" } };
  const detail = by === undefined ? {} : { by };
  await record(tx, { ctx: seen, profile, event: { verb, detail } });
}
