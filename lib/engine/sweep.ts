import type { Pool } from "pg";
import { windowSeconds } from "./counters/counters";

// Batches small enough that no lock is held for long; what is left goes with the next turn.
const batchMax = 5_000;

/** A nonce may go once its timestamp can no longer be accepted. Decisions 2. */
export function sweepNonces(pool: Pool, now: Date): Promise<number> {
  return sweep(
    pool,
    `DELETE FROM "Nonce" WHERE (did, nonce) IN (
       SELECT did, nonce FROM "Nonce" WHERE "expiresAt" <= $1 ORDER BY "expiresAt" LIMIT $2
       FOR UPDATE SKIP LOCKED)`,
    now,
  );
}

/** A hit may go once it has left the trailing window; twice that, as this clock is not the database's. */
export function sweepRateHits(pool: Pool, now: Date): Promise<number> {
  return sweep(
    pool,
    `DELETE FROM "RateHit" WHERE (caller, class, number) IN (
       SELECT caller, class, number FROM "RateHit" WHERE "admittedAt" <= $1 ORDER BY "admittedAt"
       LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    new Date(now.getTime() - 2 * windowSeconds * 1_000),
  );
}

async function sweep(pool: Pool, statement: string, before: Date): Promise<number> {
  const { rowCount } = await pool.query(statement, [before, batchMax]);
  return rowCount ?? 0;
}
