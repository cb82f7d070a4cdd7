import type { Revisions } from "@/lib/engine/counters/counters";
import type { Pool } from "@/lib/engine/db";
import { type Db, inTransaction, type Tx } from "@/lib/engine/db";
import type { Engine } from "@/lib/engine/engine";
import type { AccountLimiter } from "@/lib/engine/load/keyed-limiter";
import type { RevisionCache } from "@/lib/engine/load/revision-cache";
import { newId } from "@/lib/engine/random";
import type { Caller } from "@/lib/rules/may";

/** The context of a verb: where, for whom, when, and its id in the log. */
export interface Ctx {
  db: Db;
  /** For statements that many requests share; the same connections as `db`. */
  pool: Pool;
  caller: Caller;
  now: Date;
  requestId: string;
  /** Limits an account's connections: work that may wait for a lock runs in it. */
  shares: AccountLimiter;
  /** Recent reads. */
  cache: RevisionCache;
  /** The revisions of an agent's request: entries cached under them are current. */
  revisions?: Revisions;
  /** Where a read is decided before its admission: takes the event, which goes there with it. */
  recordEvent?: (event: { profileId: number }) => void;
  /** After a change has been committed: notifies everyone who watches this profile. */
  announce: (profileId: number) => void;
}

/** Now, on this engine, under an id of its own. */
export function contextOf(
  {
    db,
    pool,
    live,
    shares,
    cache,
    now,
  }: Pick<Engine, "db" | "pool" | "live" | "shares" | "cache" | "now">,
  caller: Caller,
): Ctx {
  const { announce } = live;
  return { db, pool, shares, cache, caller, now: now(), requestId: newId("req"), announce };
}

const searchMsMax = 3_000;

/**
 * Runs the statements of a search, which read whole texts: one search of an account at a time, and few of all
 * accounts together, so that they leave connections to everybody else.
 */
export function inSearch<T>(
  { db, shares }: Ctx,
  ownerId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return shares.heavy(ownerId, () =>
    inTransaction(db, async (tx) => {
      await tx.$executeRaw`SELECT set_config('statement_timeout', ${String(searchMsMax)}, true)`;
      return work(tx);
    }),
  );
}
