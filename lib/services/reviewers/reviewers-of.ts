import type { Db, Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { ProfileFact, Verb } from "@/lib/rules/may";

/** The accounts that review in the owner's place now. */
export async function reviewersOf(db: Db | Tx, profileId: number, now: Date): Promise<string[]> {
  const rows = await db.reviewer.findMany({
    where: { profileId, ...currentAt(now), user: { state: "active" } },
    select: { userId: true },
  });
  return rows.map(({ userId }) => userId);
}

/** That a reviewer has accepted, and it is not over. */
export const currentAt = (now: Date) => ({
  acceptedAt: { not: null },
  endedAt: null,
  expiresAt: { gt: now },
});

interface Opened {
  verb: Verb;
  profile: ProfileFact & { id: number };
  now: Date;
}

/** Adds the reviewers to a profile, for the one verb that is theirs. */
export async function withReviewers(db: Db | Tx, { verb, profile, now }: Opened): Promise<void> {
  if (verb === "reviewForOwner") profile.reviewers = await reviewersOf(db, profile.id, now);
}

/** The name of who decided the proposal `p` in its owner's place. */
export const reviewerName = Prisma.sql`
  (SELECT coalesce(u.name, u.email) FROM "Reviewer" r JOIN "User" u ON u.id = r."userId"
   WHERE r.id = p."reviewerId")`;
