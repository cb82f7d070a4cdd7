import type { Pool } from "pg";
import type { Db } from "@/lib/engine/db";
import type { Prisma } from "@/lib/engine/prisma-client/client";
import type { Caller } from "@/lib/rules/may";

/** What every verb is given: where, for whom, when, and under which id it is logged. */
export interface Ctx {
  db: Db;
  /** For hot statements; the same connections as `db`. */
  pool: Pool;
  caller: Caller;
  now: Date;
  requestId: string;
}

/** The same database inside a transaction. */
export type Tx = Prisma.TransactionClient;
