import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { forbidden, invalidRequest, notFound } from "@/lib/protocol/errors";
import type { PersonCaller } from "@/lib/rules/may";
import { withAuthority } from "../authority";
import type { Ctx } from "../context";
import { completeTransfer, endTransfer, isDue, recordStep } from "./complete";
import { findParties, lockTransfer, type Parties, transferWaitMs } from "./transfer";

/** The result of an answer; `void` if the new account has no room for the profile, or is suspended. */
export type Answered = "refused" | "waiting" | "transferred" | "void";

export interface Answer {
  did: string;
  /** When the shown transfer was requested, so that a later one is not answered. */
  requestedAt: string;
  accepts: boolean;
}

/** Accepts or refuses a transfer, as the profile's present owner or as its new one. */
export async function answerTransfer(
  ctx: Ctx,
  { did, requestedAt, accepts }: Answer,
): Promise<Answered> {
  if (ctx.caller.kind !== "person") throw forbidden();
  const requested = await findParties(ctx.db, did);
  const isOwner = isPresentOwner(requested, ctx.caller);
  const { fromUserId, toUserId, createdAt } = requested;
  if (createdAt.toISOString() !== requestedAt) throw replaced();
  // Giving a profile away is permanent.
  const lasting = accepts && isOwner;
  const demands = { users: [toUserId], readsUsers: [fromUserId], lasting };
  const { profileId, answered } = await withAuthority(ctx, demands, async (tx) => {
    const transfer = await lockTransfer(tx, { did, ...requested });
    const { profile } = transfer;
    const by = isOwner ? undefined : ("newOwner" as const);
    const done = (answered: Answered) => ({ profileId: profile.id, answered });
    if (!accepts) {
      await endTransfer(tx, { ctx, transfer, verb: "refuseTransfer", by });
      return done("refused");
    }
    const field = isOwner ? "acceptedByOwnerAt" : "acceptedByNewAt";
    if (transfer[field] === null) {
      await tx.transfer.update({ where: { profileId: profile.id }, data: { [field]: ctx.now } });
      await recordStep(tx, { ctx, profile, verb: "acceptTransfer", by });
    }
    const accepted = { ...transfer, [field]: ctx.now };
    if (!isDue(accepted, ctx.now)) return done("waiting");
    return done((await completeTransfer(tx, ctx, accepted)) ? "transferred" : "void");
  });
  ctx.announce(profileId);
  return answered;
}

/**
 * Part of a transaction that has locked the account: the transfers that were accepted in its name, as the present
 * owner, wait for its answer again, as long as a new one does.
 */
export async function takeBackAcceptances(tx: Tx, owner: Owner): Promise<void> {
  await waitAgain(tx, owner, Prisma.sql`IS NOT NULL`);
}

/**
 * Part of a transaction that has locked the account, which is no longer suspended: the transfers that it could not
 * answer, as the present owner, wait as long as a new one does.
 */
export async function restartWaits(tx: Tx, owner: Owner): Promise<void> {
  await waitAgain(tx, owner, Prisma.sql`IS NULL`);
}

interface Owner {
  userId: string;
  now: Date;
}

async function waitAgain(tx: Tx, { userId, now }: Owner, accepted: Prisma.Sql): Promise<void> {
  const theirs = Prisma.sql`"fromUserId" = ${userId} AND "acceptedByOwnerAt" ${accepted}`;
  await tx.$executeRaw`SELECT id FROM "Profile" WHERE id IN (SELECT "profileId" FROM "Transfer" WHERE ${theirs})
     ORDER BY id FOR NO KEY UPDATE`;
  await tx.$executeRaw`UPDATE "Transfer" SET "acceptedByOwnerAt" = NULL, "effectiveAt" = ${new Date(now.getTime() + transferWaitMs)} WHERE ${theirs}`;
}

function replaced() {
  const message =
    "This transfer was withdrawn, and an admin has requested another one. Nothing was changed; look at the new one.";
  return invalidRequest([{ path: "form", message }]);
}

// For everybody else there is no such transfer.
function isPresentOwner({ fromUserId, toUserId }: Parties, { userId }: PersonCaller): boolean {
  if (userId === fromUserId) return true;
  if (userId === toUserId) return false;
  throw notFound("transfer");
}
