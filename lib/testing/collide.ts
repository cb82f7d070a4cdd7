import type { Engine } from "@/lib/engine/engine";

// Below the pool's own limit on a statement, which would end those that wait.
const waitMsMax = 8_000;

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
    while (waiting < calls.length && performance.now() - began < waitMsMax) {
      const { rows } = await holder.query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted
           AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`,
      );
      waiting = rows[0]?.waiting ?? 0;
    }
    await holder.query("COMMIT");
    if (waiting < calls.length) throw new Error(`only ${waiting} of ${calls.length} calls met`);
    return await settled;
  } finally {
    holder.release();
  }
}
