import { type Db, inTransaction } from "@/lib/engine/db";
import { nextDigestAt } from "./digest-time";
import { mailUser } from "./enqueue";

export const digestsAtOnce = 50;

/** Job: enqueues the digests that are due, each together with the time of its next one. */
export async function enqueueDigests(db: Db, now: Date): Promise<number> {
  const due = await db.mailbox.findMany({
    where: { digestDueAt: { lte: now } },
    orderBy: { digestDueAt: "asc" },
    take: digestsAtOnce,
  });
  for (const { userId, digest, digestDueAt, ...when } of due) {
    await inTransaction(db, async (tx) => {
      const next = digest === "never" ? null : nextDigestAt({ every: digest, ...when }, now);
      const { count } = await tx.mailbox.updateMany({
        where: { userId, digestDueAt },
        data: { digestDueAt: next },
      });
      const where = { recipient: userId, kind: "digest", state: "waiting" } as const;
      // It is written when it is sent, so one that waits says what a second one would.
      const isWaiting = (await tx.delivery.count({ where })) > 0;
      if (count > 0 && !isWaiting) await mailUser(tx, { kind: "digest", now, userId });
    });
  }
  return due.length;
}

const keptDays = 14;
export const sweptAtOnce = 1_000;

/** Job: forgets deliveries that ended long ago. */
export async function sweepDeliveries(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - keptDays * 24 * 60 * 60_000);
  return db.$executeRaw`DELETE FROM "Delivery" WHERE seq = ANY(ARRAY(
    SELECT seq FROM "Delivery" WHERE "endedAt" < ${before} ORDER BY "endedAt" LIMIT ${sweptAtOnce}
    FOR UPDATE SKIP LOCKED))`;
}
