import type { PoolClient } from "pg";
import type { Tx } from "@/lib/engine/db";
import type { Engine } from "@/lib/engine/engine";
import { inTransaction } from "./transaction";

// Below the pool's own limit on waiting for a lock, which would end those that wait.
const waitMsMax = 3_000;

// Calls of one instance that ask the same are gathered: one statement or two wait, with all of them in
// it or behind it. That they are there shows in that nothing else happens for so many looks.
const stillLooks = 20;

/**
 * Makes these calls meet: a table that none of them may write to holds them up until every one waits,
 * having read what it wanted to read; then all go on at once.
 */
export async function collide<T>(
  { pool }: Pick<Engine, "pool">,
  table: "Proposal" | "ConsentRequest" | "Session",
  calls: (() => Promise<T>)[],
): Promise<PromiseSettledResult<T>[]> {
  // Connections for all of them first: opening one takes longer than what is to collide.
  const [holder, ...others] = await Promise.all([
    pool.connect(),
    ...calls.map(() => pool.connect()),
  ]);
  for (const other of others) other.release();
  try {
    await holder.query("BEGIN");
    await holder.query(`LOCK TABLE "${table}" IN SHARE MODE`);
    const settled = Promise.allSettled(calls.map((call) => call()));
    const began = performance.now();
    let waiting = 0;
    let still = 0;
    while (waiting < calls.length && still < stillLooks && performance.now() - began < waitMsMax) {
      // Not by the holder: inside a transaction what others do is shown as it first was.
      const { rows } = await pool.query<{ waiting: number; busy: number }>(
        `SELECT count(*) FILTER (WHERE wait_event_type = 'Lock')::int AS waiting,
           count(*) FILTER (WHERE wait_event_type IS DISTINCT FROM 'Lock')::int AS busy
         FROM pg_stat_activity
         WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()
           AND application_name = 'gateway'`,
      );
      const [seen] = rows;
      still = seen?.busy === 0 && seen.waiting > 0 ? still + 1 : 0;
      waiting = seen?.waiting ?? 0;
    }
    await holder.query("COMMIT");
    if (waiting === 0) throw new Error("no call met another");
    return await settled;
  } finally {
    holder.release();
  }
}

// Below the time after which a verb gives up waiting for a lock.
const overtakeMsMax = 1_500;

/**
 * Makes a call meet a change that is committed while the call waits for it. The change is made on a connection of
 * its own, the call begins and waits for its locks, and the change is committed. Settles as the call does.
 */
export async function overtake<T>(
  { pool }: Pick<Engine, "pool">,
  change: (client: PoolClient) => Promise<unknown>,
  call: () => Promise<T>,
): Promise<PromiseSettledResult<T>> {
  return inTransaction(pool, async (holder) => {
    await change(holder);
    return whileWaiting(pool, call);
  }).then(({ settled }) => settled);
}

/** The same where a verb's own code makes the change. */
export async function overtakeVerb<T>(
  { db, pool }: Pick<Engine, "db" | "pool">,
  change: (tx: Tx) => Promise<unknown>,
  call: () => Promise<T>,
): Promise<PromiseSettledResult<T>> {
  const { settled } = await db.$transaction(async (tx) => {
    await change(tx);
    return whileWaiting(pool, call);
  });
  return settled;
}

/** Begins the call and returns once it waits for a lock. A promise is wrapped: the caller must not wait for it yet. */
async function whileWaiting<T>(
  pool: Engine["pool"],
  call: () => Promise<T>,
): Promise<{ settled: Promise<PromiseSettledResult<T>> }> {
  const settled = Promise.allSettled([call()]).then(([outcome]) => outcome);
  const began = performance.now();
  while (performance.now() - began < overtakeMsMax) {
    const { rowCount } = await pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (rowCount !== 0) return { settled };
  }
  throw new Error("the call did not wait for the change");
}
