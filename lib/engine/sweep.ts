import { windowSeconds } from "./counters/counters";
import { type Db, inBackgroundTransaction } from "./db";

// Few rows, so that no lock is held for long; the next run takes the rest. They are chosen in an array, here and in
// every other sweep: a plan may run a subquery after IN once a row, and past its limit.
const rowsMax = 1_000;

/**
 * A nonce may go once its timestamp can no longer be accepted, Protocol 2: by this clock and the database's, so that
 * one of them that is wrong lets nothing go too early.
 */
export async function sweepNonces(db: Db, now: Date): Promise<number> {
  return inBackgroundTransaction(
    db,
    (tx) =>
      tx.$executeRaw`DELETE FROM "Nonce" WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM "Nonce" WHERE "expiresAt" <= least(${now}::timestamptz, now())
         ORDER BY "expiresAt" LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED))`,
  );
}

/** A window may go an hour after the last of its hits has left it, as this clock is not the database's. */
export async function sweepWindows(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - windowSeconds * 1_000);
  return inBackgroundTransaction(
    db,
    (tx) =>
      tx.$executeRaw`DELETE FROM "RateWindow" WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM "RateWindow" WHERE "expiresAt" <= ${before}
         ORDER BY "expiresAt" LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED))`,
  );
}
