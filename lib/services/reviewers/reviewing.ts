import type { Tx } from "@/lib/engine/db";
import type { Did } from "@/lib/protocol/did";
import { forbidden, invalidRequest, notFound } from "@/lib/protocol/errors";
import { record } from "../audit/record";
import { withAuthority } from "../authority";
import type { Ctx } from "../context";
import { lockProfile } from "../profile-gate";
import { currentAt, reviewersOf } from "./reviewers-of";

/** What an account is invited to, or does, in the place of an owner. */
export interface Reviewing {
  id: string;
  did: Did;
  /** The owner's address. */
  owner: string;
  expiresAt: Date;
  acceptedAt: Date | null;
}

const listedMax = 50;
/** Accounts that review for one profile at once. */
const reviewersMax = 5;

/** Lists the invitations of the caller's account, and the profiles that it reviews for. */
export async function listReviewing({ db, caller, now }: Ctx): Promise<Reviewing[]> {
  if (caller.kind !== "person") throw forbidden();
  return db.$queryRaw<Reviewing[]>`
    SELECT r.id, p.did, u.email AS owner, r."expiresAt", r."acceptedAt" FROM "Reviewer" r
    JOIN "Profile" p ON p.id = r."profileId" AND p.state = 'active' JOIN "User" u ON u.id = p."ownerId"
    WHERE r."userId" = ${caller.userId} AND r."endedAt" IS NULL AND r."expiresAt" > ${now}
    ORDER BY r."createdAt" DESC, r.id LIMIT ${listedMax}`;
}

/** Returns the profile that the caller's account reviews for; null if it does not. */
export async function findReviewing(ctx: Ctx, reviewerId: string): Promise<{ did: Did } | null> {
  const { caller, db, now } = ctx;
  if (caller.kind !== "person") throw forbidden();
  const found = await db.reviewer.findFirst({
    where: { id: reviewerId, userId: caller.userId, ...currentAt(now) },
    select: { profile: { select: { did: true } } },
  });
  return found?.profile ?? null;
}

/** Accepts an invitation. */
export function acceptReviewing(ctx: Ctx, { reviewerId }: { reviewerId: string }): Promise<void> {
  return change(ctx, reviewerId, async (tx, { profileId, acceptedAt }) => {
    if (acceptedAt !== null) throw over();
    if ((await reviewersOf(tx, profileId, ctx.now)).length >= reviewersMax) {
      const message = `${reviewersMax} accounts review for this profile already.`;
      throw invalidRequest([{ path: "reviewerId", message }]);
    }
    await tx.reviewer.update({ where: { id: reviewerId }, data: { acceptedAt: ctx.now } });
    return { accepted: true };
  });
}

/** Declines an invitation, or ends reviewing. */
export function leaveReviewing(ctx: Ctx, { reviewerId }: { reviewerId: string }): Promise<void> {
  return change(ctx, reviewerId, async (tx, { acceptedAt }) => {
    await tx.reviewer.update({ where: { id: reviewerId }, data: { endedAt: ctx.now } });
    // A refusal would tell the owner that the account exists.
    return acceptedAt === null ? null : { left: true };
  });
}

interface Row {
  profileId: number;
  did: Did;
  acceptedAt: Date | null;
}

// On a profile of another: the caller is who was invited.
async function change(
  ctx: Ctx,
  reviewerId: string,
  work: (tx: Tx, row: Row) => Promise<Record<string, unknown> | null>,
): Promise<void> {
  const { caller, db, now } = ctx;
  if (caller.kind !== "person") throw forbidden();
  const { userId } = caller;
  const own = { id: reviewerId, userId, endedAt: null, expiresAt: { gt: now } };
  const found = await db.reviewer.findUnique({ where: own, select: { profileId: true } });
  if (found === null) throw over();
  const { profileId } = found;
  await withAuthority(ctx, {}, async (tx) => {
    const locked = await lockProfile(tx, profileId);
    const row = await tx.reviewer.findUnique({
      where: own,
      select: { acceptedAt: true, profile: { select: { did: true } } },
    });
    if (row === null || locked.state === "suspended") throw over();
    const { did } = row.profile;
    const detail = await work(tx, { profileId, did, acceptedAt: row.acceptedAt });
    if (detail === null) return;
    const profile = { id: profileId, did, ...locked, reviewers: [userId] };
    const event = { verb: "answerInvitation", subjectId: reviewerId, detail };
    await record(tx, { ctx, profile, event });
  });
  ctx.announce(profileId);
}

function over() {
  return notFound("invitation");
}
