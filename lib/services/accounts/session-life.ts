import { type Db, inBackgroundTransaction } from "@/lib/engine/db";

// How long a session lives, for everything that decides whether one still does.

/** The lifetime of a session and its cookie. */
export const sessionDays = 30;
/** After its last use. */
export const idleDays = 14;
/** How many sessions a person keeps. */
export const sessionsMax = 100;

const dayMs = 24 * 60 * 60_000;

export function sessionEnd(signedInAt: Date): Date {
  return new Date(signedInAt.getTime() + sessionDays * dayMs);
}

/** A session that was last used at this instant, or earlier, has ended. */
export function idleSince(now: Date): Date {
  return new Date(now.getTime() - idleDays * dayMs);
}

/** The condition for Prisma. */
export function isLive(now: Date) {
  return { expiresAt: { gt: now }, lastSeenAt: { gt: idleSince(now) } };
}

const sweptMax = 250;

/** For a job: deletes sessions that have ended, a batch at a time. */
export async function sweepSessions(db: Db, now: Date): Promise<number> {
  const idle = idleSince(now);
  return inBackgroundTransaction(db, async (tx) => {
    // A session idle since then began earlier, so later expiries need not be read.
    return tx.$executeRaw`DELETE FROM "Session" WHERE "tokenHash" = ANY(ARRAY(
         SELECT "tokenHash" FROM "Session"
         WHERE "expiresAt" <= ${sessionEnd(idle)} AND ("expiresAt" <= ${now} OR "lastSeenAt" <= ${idle})
         ORDER BY "expiresAt" LIMIT ${sweptMax} FOR UPDATE SKIP LOCKED))`;
  });
}
