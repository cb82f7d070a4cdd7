import type { Pool, PoolClient } from "pg";
import { windowSeconds } from "./counters/counters";
import { inSweep, unlessHeld } from "./db";

// Few enough that no lock is held for long; what is left goes with the next turn. Each hit may be the last of its
// window, and to look for others in a thousand windows took a tenth of a second.
const hitsMax = 250;

const nonceSlots = ["Nonce_0", "Nonce_1", "Nonce_2", "Nonce_3"] as const;
type NonceSlot = (typeof nonceSlots)[number];

/**
 * A nonce may go once its timestamp can no longer be accepted. Protocol 2. They go by whole slots in which
 * not one is left that could; says how many it emptied.
 */
export async function sweepNonces(pool: Pool, now: Date): Promise<number> {
  let emptied = 0;
  for (const slot of nonceSlots) {
    if ((await isOver(pool, slot, now)) && (await emptySlot(pool, slot, now))) emptied++;
  }
  return emptied;
}

/** By this clock and the database's: one of them that is wrong lets nothing go too early. */
async function isOver(client: Pool | PoolClient, slot: NonceSlot, now: Date): Promise<boolean> {
  const { rows } = await client.query<{ over: boolean | null }>(
    `SELECT max("expiresAt") <= least($1::timestamptz, now()) AS over FROM "${slot}"`,
    [now],
  );
  // Null where it is empty.
  return rows[0]?.over ?? false;
}

async function emptySlot(pool: Pool, slot: NonceSlot, now: Date): Promise<boolean> {
  return unlessHeld(pool, async (client) => {
    await client.query(`LOCK TABLE "${slot}"`);
    // Nobody adds to it from here on.
    if (!(await isOver(client, slot, now))) return false;
    await client.query(`TRUNCATE "${slot}"`);
    return true;
  });
}

/**
 * A hit may go once it has left the trailing window; twice that, as this clock is not the database's. With
 * the last of them goes the window that they stood in.
 */
export async function sweepRateHits(pool: Pool, now: Date): Promise<number> {
  const before = new Date(now.getTime() - 2 * windowSeconds * 1_000);
  return inSweep(pool, async (client) => {
    const { rows } = await client.query<{ caller: string; class: string }>(
      `DELETE FROM "RateHit" WHERE (caller, class, number) IN (
         SELECT caller, class, number FROM "RateHit" WHERE "admittedAt" <= $1 ORDER BY "admittedAt"
         LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING caller, class`,
      [before, hitsMax],
    );
    // One that is held is in use: a hit comes that will go later. Where one comes just now, admission makes
    // the window anew and goes on from that hit.
    await client.query(
      `DELETE FROM "RateWindow" WHERE (caller, class) IN (
         SELECT w.caller, w.class FROM "RateWindow" w
         WHERE (w.caller, w.class) IN (SELECT * FROM unnest($1::text[], $2::text[]))
           AND NOT EXISTS (SELECT FROM "RateHit" h WHERE h.caller = w.caller AND h.class = w.class)
         FOR UPDATE SKIP LOCKED)`,
      [rows.map(({ caller }) => caller), rows.map((row) => row.class)],
    );
    return rows.length;
  });
}
