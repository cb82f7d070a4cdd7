import type { PoolClient } from "pg";
import type { Engine } from "@/lib/engine/engine";

// Below the time after which a verb gives up waiting for a lock.
const waitMsMax = 1_500;

/**
 * Makes a call meet a change that is committed while the call waits for it. The change is made on a connection of
 * its own, the call begins and waits for its locks, and the change is committed. Settles as the call does.
 */
export async function overtake<T>(
  { pool }: Pick<Engine, "pool">,
  change: (client: PoolClient) => Promise<unknown>,
  call: () => Promise<T>,
): Promise<PromiseSettledResult<T>> {
  const holder = await pool.connect();
  try {
    await holder.query("BEGIN");
    await change(holder);
    const settled = Promise.allSettled([call()]);
    const began = performance.now();
    let isWaiting = false;
    while (!isWaiting && performance.now() - began < waitMsMax) {
      const { rowCount } = await pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      isWaiting = rowCount !== 0;
    }
    await holder.query("COMMIT");
    if (!isWaiting) throw new Error("the call did not wait for the change");
    const [one] = await settled;
    return one;
  } finally {
    holder.release();
  }
}
