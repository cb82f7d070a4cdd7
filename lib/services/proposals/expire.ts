import { type Db, inBackgroundTransaction } from "@/lib/engine/db";
import { notifyAgents } from "../webhooks/notify-agents";

// Each is written into eight indexes: a thousand held their rows for half a second.
const batchMax = 100;

/** Stores that expired pending proposals count as rejected. Protocol 6. */
export async function expireProposals(db: Db, now: Date): Promise<number> {
  // PostgreSQL collects new words of this index in a list; the statement that fills it sorts all of them in,
  // for a tenth of a second. Here no row is locked yet. Does nothing if a newer version has no such index.
  await db.$executeRaw`SELECT gin_clean_pending_list(to_regclass('"Proposal_decided_similar_idx"'))`;
  return inBackgroundTransaction(db, async (tx) => {
    const expired = await tx.$queryRaw<{ id: string }[]>`
      UPDATE "Proposal" SET status = 'rejected', "reviewedAt" = "expiresAt", reason = 'expired'
      WHERE id = ANY(ARRAY(
        SELECT id FROM "Proposal" WHERE status = 'pending' AND "heldAt" IS NULL AND "expiresAt" <= ${now}
        ORDER BY "expiresAt" LIMIT ${batchMax} FOR UPDATE SKIP LOCKED))
      RETURNING id`;
    await notifyAgents(tx, now, { proposals: expired.map(({ id }) => id) });
    return expired.length;
  });
}
