import type { Ctx } from "../context";
import { withProfile } from "../profile-gate";

// A return within half an hour is not a new visit.
const absenceMs = 30 * 60_000;
const touchMs = 60_000;

/** The owner is here; tells when the visit before this one ended, null on the first. */
export async function visit(ctx: Ctx, did: string): Promise<Date | null> {
  return withProfile(ctx, { verb: "readActivity", did }, async ({ profile }) => {
    const { now, db } = ctx;
    // The row's lock puts two pages of one moment in order: the second finds that nothing is due. While a change
    // holds the row, a page does not wait for it: the next one writes this down.
    await db.$executeRaw`UPDATE "Profile" SET "visitedAt" = ${now},
         "visitedBefore" = CASE WHEN "visitedAt" < ${before(now, absenceMs)} THEN "visitedAt" ELSE "visitedBefore" END
       WHERE id IN (SELECT id FROM "Profile"
         WHERE id = ${profile.id} AND ("visitedAt" IS NULL OR "visitedAt" < ${before(now, touchMs)}) FOR NO KEY UPDATE SKIP LOCKED)`;
    const found = await db.profile.findUnique({
      where: { id: profile.id },
      select: { visitedBefore: true },
    });
    return found?.visitedBefore ?? null;
  });
}

function before(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms);
}
