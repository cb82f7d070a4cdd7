import { PrismaPg } from "@prisma/adapter-pg";
import { Pool } from "pg";
import { PrismaClient } from "./prisma-client/client";

export type Db = PrismaClient;

export interface DatabaseSettings {
  url: string;
  poolMax: number;
  onIdleError: (error: Error) => void;
}

// One pool for Prisma and for the hot statements that go past it.
export function openPool({ url, poolMax, onIdleError }: DatabaseSettings): Pool {
  const pool = new Pool({
    connectionString: url,
    max: poolMax,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 15_000,
    application_name: "gateway",
    options: "-c timezone=UTC",
  });
  // A connection that breaks while it idles in the pool is replaced; without a listener it would end us.
  pool.on("error", onIdleError);
  return pool;
}

export function openDb(pool: Pool): Db {
  return new PrismaClient({ adapter: new PrismaPg(pool) });
}
