// How long a session lives, for everything that decides whether one still does.

/** After the sign-in; the cookie goes with it. */
export const sessionDays = 30;
/** After its last use. */
export const idleDays = 14;

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
