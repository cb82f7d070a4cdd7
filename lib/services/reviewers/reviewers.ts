import { newId } from "@/lib/engine/random";
import { invalidRequest, notFound } from "@/lib/protocol/errors";
import type { Ctx } from "../context";
import { changeProfile, withProfile } from "../profile-gate";
import { currentAt } from "./reviewers-of";

export const reviewerDaysMax = 90;
/** As many invitations of a profile wait at once; a further one takes the place of the oldest. */
const invitedMax = 5;
const dayMs = 24 * 60 * 60_000;

export interface Invitation {
  did: string;
  email: string;
  days: number;
}

/**
 * Invites an account to review in the owner's place. Whether an account has the address is not said: it shows once the
 * invitation is accepted.
 */
export async function inviteReviewer(ctx: Ctx, { did, email, days }: Invitation): Promise<void> {
  if (!Number.isInteger(days) || days < 1 || days > reviewerDaysMax) {
    throw invalidRequest([{ path: "days", message: `Choose 1 to ${reviewerDaysMax} days.` }]);
  }
  const asking = { verb: "editReviewers", did, lasting: true } as const;
  await changeProfile(ctx, asking, async ({ tx, profile, record }) => {
    const user = await tx.user.findUnique({ where: { email, state: "active" } });
    if (user?.id === profile.ownerId) {
      throw invalidRequest([{ path: "email", message: "This is your own address." }]);
    }
    const profileId = profile.id;
    if (user !== null) {
      const current = { profileId, endedAt: null };
      const theirs = { ...current, userId: user.id };
      if ((await tx.reviewer.count({ where: { ...theirs, ...currentAt(ctx.now) } })) > 0) {
        const message = "This account reviews for you already. End that first.";
        throw invalidRequest([{ path: "email", message }]);
      }
      await tx.reviewer.updateMany({
        where: theirs,
        data: { endedAt: ctx.now },
      });
      const waiting = await tx.reviewer.findMany({
        where: { ...current, acceptedAt: null },
        orderBy: [{ createdAt: "desc" }, { id: "desc" }],
        select: { id: true },
      });
      const oldest = waiting.slice(invitedMax - 1).map(({ id }) => id);
      await tx.reviewer.updateMany({
        where: { id: { in: oldest } },
        data: { endedAt: ctx.now },
      });
      const expiresAt = new Date(ctx.now.getTime() + days * dayMs);
      const times = { createdAt: ctx.now, expiresAt };
      await tx.reviewer.create({
        data: { id: newId("rvw"), profileId, userId: user.id, ...times },
      });
    }
    await record({ detail: { invited: true, days } });
  });
}

/** Ends all invitations that were not accepted; whether there were any is not said. */
export async function withdrawInvitations(ctx: Ctx, did: string): Promise<void> {
  await changeProfile(ctx, { verb: "editReviewers", did }, async ({ tx, profile, record }) => {
    await tx.reviewer.updateMany({
      where: { profileId: profile.id, endedAt: null, acceptedAt: null },
      data: { endedAt: ctx.now },
    });
    await record({ detail: { withdrawn: true } });
  });
}

/** Ends what a reviewer may do, at once. What they decided stays. */
export async function endReviewer(
  ctx: Ctx,
  { did, reviewerId }: { did: string; reviewerId: string },
): Promise<void> {
  await changeProfile(ctx, { verb: "editReviewers", did }, async ({ tx, profile, record }) => {
    const { count } = await tx.reviewer.updateMany({
      where: { id: reviewerId, profileId: profile.id, endedAt: null, acceptedAt: { not: null } },
      data: { endedAt: ctx.now },
    });
    if (count === 0) throw notFound("reviewer");
    await record({ subjectId: reviewerId, detail: { ended: true } });
  });
}

export interface Reviewer {
  id: string;
  email: string;
  name: string | null;
  acceptedAt: Date;
  expiresAt: Date;
  /** How many proposals they decided. */
  decided: number;
}

/** Lists who reviews in the owner's place now. */
export async function listReviewers(ctx: Ctx, did: string): Promise<Reviewer[]> {
  return withProfile(ctx, { verb: "editReviewers", did }, async ({ profile }) => {
    return ctx.db.$queryRaw<Reviewer[]>`
      SELECT r.id, u.email, u.name, r."acceptedAt", r."expiresAt",
        (SELECT count(*)::int FROM "Proposal" p WHERE p."reviewerId" = r.id) AS decided
      FROM "Reviewer" r JOIN "User" u ON u.id = r."userId"
      WHERE r."profileId" = ${profile.id} AND r."acceptedAt" IS NOT NULL AND r."endedAt" IS NULL
        AND r."expiresAt" > ${ctx.now} ORDER BY r."acceptedAt" DESC, r.id`;
  });
}
