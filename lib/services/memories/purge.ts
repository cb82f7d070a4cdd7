import type { Pool } from "pg";
import { inSweep } from "@/lib/engine/db";

/** How long a deleted memory can be restored. */
export const restorableDays = 30;

// A thousand were once held for 170 ms.
const batchMax = 125;

/** What was deleted long enough ago is gone for good, its history with it. */
export async function purgeMemories(pool: Pool, now: Date): Promise<number> {
  const before = new Date(now.getTime() - restorableDays * 24 * 60 * 60_000);
  return inSweep(pool, async (client) => {
    const { rowCount } = await client.query(
      `DELETE FROM "Memory" WHERE id IN (
         SELECT id FROM "Memory" WHERE "deletedAt" <= $1
         ORDER BY "deletedAt" LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [before, batchMax],
    );
    return rowCount ?? 0;
  });
}
