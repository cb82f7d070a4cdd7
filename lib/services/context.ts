import type { Pool } from "pg";
import type { Db } from "@/lib/engine/db";
import type { Engine } from "@/lib/engine/engine";
import type { Replica } from "@/lib/engine/fallback/replica";
import type { Shares } from "@/lib/engine/load/shares";
import type { Prisma } from "@/lib/engine/prisma-client/client";
import { newId } from "@/lib/engine/random";
import type { Caller } from "@/lib/rules/may";

/** What every verb is given: where, for whom, when, and under which id it is logged. */
export interface Ctx {
  db: Db;
  /** For hot statements; the same connections as `db`. */
  pool: Pool;
  /** For lists, where one is configured. */
  replica: Replica | null;
  caller: Caller;
  now: Date;
  requestId: string;
  /** Of the pool's connections, by account: what may wait for a profile's lock runs in one. */
  shares: Shares;
  /** After a change has been committed: tells whoever watches this profile. */
  announce: (profileId: number) => void;
}

/** Now, on this engine, under an id of its own. */
export function contextOf(
  {
    db,
    pool,
    replica,
    live,
    shares,
    now,
  }: Pick<Engine, "db" | "pool" | "replica" | "live" | "shares" | "now">,
  caller: Caller,
): Ctx {
  const { announce } = live;
  return { db, pool, replica, shares, caller, now: now(), requestId: newId("req"), announce };
}

/** The same database inside a transaction. */
export type Tx = Prisma.TransactionClient;
