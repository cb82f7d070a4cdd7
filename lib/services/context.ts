import type { Pool, PoolClient } from "pg";
import { type Db, inTransaction } from "@/lib/engine/db";
import type { Engine } from "@/lib/engine/engine";
import type { AccountShares } from "@/lib/engine/load/shares";
import type { Prisma } from "@/lib/engine/prisma-client/client";
import { newId } from "@/lib/engine/random";
import type { Caller } from "@/lib/rules/may";

/** What every verb is given: where, for whom, when, and under which id it is logged. */
export interface Ctx {
  db: Db;
  /** For hot statements; the same connections as `db`. */
  pool: Pool;
  caller: Caller;
  now: Date;
  requestId: string;
  /** Of the pool's connections, by account: what may wait for a lock runs in one. */
  shares: AccountShares;
  /** After a change has been committed: tells whoever watches this profile. */
  announce: (profileId: number) => void;
}

/** Now, on this engine, under an id of its own. */
export function contextOf(
  { db, pool, live, shares, now }: Pick<Engine, "db" | "pool" | "live" | "shares" | "now">,
  caller: Caller,
): Ctx {
  const { announce } = live;
  return { db, pool, shares, caller, now: now(), requestId: newId("req"), announce };
}

/** The same database inside a transaction. */
export type Tx = Prisma.TransactionClient;

const searchMsMax = 3_000;

/**
 * Runs the statements of a search, which read whole texts: one search of an account at a time, and few of all
 * accounts together, so that they leave connections to everybody else.
 */
export function inSearch<T>(
  { pool, shares }: Ctx,
  ownerId: string,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  return shares.heavy(ownerId, () =>
    inTransaction(pool, async (client) => {
      await client.query(`SET LOCAL statement_timeout = ${searchMsMax}`);
      return work(client);
    }),
  );
}
