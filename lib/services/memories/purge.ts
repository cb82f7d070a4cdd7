import { type Db, inBackgroundTransaction } from "@/lib/engine/db";

/** How long a deleted memory can be restored. */
export const restorableDays = 30;

/** Returns when a deleted memory is gone for good; null for any other. */
export function goneAt({ deletedAt }: { deletedAt: Date | null }): Date | null {
  return deletedAt && new Date(deletedAt.getTime() + restorableDays * 24 * 60 * 60_000);
}

// A thousand were once held for 170 ms.
const batchMax = 125;

/** Removes memories deleted long enough ago, with their history. */
export async function purgeMemories(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - restorableDays * 24 * 60 * 60_000);
  return inBackgroundTransaction(db, async (tx) => {
    return tx.$executeRaw`DELETE FROM "Memory" WHERE id = ANY(ARRAY(
         SELECT id FROM "Memory" WHERE "deletedAt" <= ${before}
         ORDER BY "deletedAt" LIMIT ${batchMax} FOR UPDATE SKIP LOCKED))`;
  });
}
