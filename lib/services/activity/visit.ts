import type { Ctx } from "../context";
import { withProfile } from "../profile-gate";

// A return within half an hour is not a new visit.
const absenceMs = 30 * 60_000;
const touchMs = 60_000;

/** Records a visit of the owner. Returns when the previous one ended; null for the first. */
export async function visit(ctx: Ctx, did: string): Promise<Date | null> {
  return withProfile(ctx, { verb: "readActivity", did }, async ({ profile }) => {
    const { now, db } = ctx;
    // The row's lock orders two pages of one moment: the second finds nothing due. A page does not wait for a
    // change that holds the row.
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
