import type { Ctx } from "../context";
import { onProfile } from "../open-profile";

// Who comes back within half an hour was never away.
const absenceMs = 30 * 60_000;
const touchMs = 60_000;

/** The owner is here; tells when the visit before this one ended, null on the first. */
export async function visit(ctx: Ctx, did: string): Promise<Date | null> {
  return onProfile(ctx, { verb: "readActivity", did }, async ({ profile }) => {
    const { now, pool } = ctx;
    // The row's lock puts two pages of one moment in order: the second finds that nothing is due. While a change
    // holds the row, a page does not wait for it: the next one writes this down.
    await pool.query(
      `UPDATE "Profile" SET "visitedAt" = $2,
         "visitedBefore" = CASE WHEN "visitedAt" < $3 THEN "visitedAt" ELSE "visitedBefore" END
       WHERE id IN (SELECT id FROM "Profile"
         WHERE id = $1 AND ("visitedAt" IS NULL OR "visitedAt" < $4) FOR NO KEY UPDATE SKIP LOCKED)`,
      [profile.id, now, before(now, absenceMs), before(now, touchMs)],
    );
    const { rows } = await pool.query<{ visitedBefore: Date | null }>(
      `SELECT "visitedBefore" FROM "Profile" WHERE id = $1`,
      [profile.id],
    );
    return rows[0]?.visitedBefore ?? null;
  });
}

function before(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms);
}
