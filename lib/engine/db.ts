import { setTimeout } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import { DatabaseError, Pool } from "pg";
import { z } from "zod";
import { type Prisma, PrismaClient } from "./prisma-client/client";

export type { Pool } from "pg";
export type Db = PrismaClient;

/** The client of a transaction. */
export type Tx = Prisma.TransactionClient;

export interface DatabaseSettings {
  url: string;
  poolMax: number;
  onIdleError: (error: Error) => void;
}

const connectMsMax = 5_000;
const statementMsMax = 10_000;
const transactionMsMax = 10 * 60_000;
/** Long enough for a row that many change in turn; short enough not to hold up connections. */
export const lockMsMax = 4_000;

const sessionOptions = [
  "-c timezone=UTC",
  // A plan that is kept from when a table was small would read all of it once it has grown.
  "-c enable_seqscan=off",
  // Older servers compile such statements.
  "-c jit=off",
];

/**
 * Returns address and options of a session: the options of the address first, then ours, which win. Left in the
 * address, pg would use only those.
 */
export function sessionAt(url: string, more: readonly string[] = []) {
  const address = new URL(url);
  const options = address.searchParams.getAll("options");
  address.searchParams.delete("options");
  return {
    connectionString: options.length === 0 ? url : address.href,
    options: [...options, ...sessionOptions, ...more].join(" "),
  };
}

// One pool for Prisma and for batched statements.
export function openPool({ url, poolMax, onIdleError }: DatabaseSettings): Pool {
  const pool = new Pool({
    ...sessionAt(url),
    max: poolMax,
    connectionTimeoutMillis: connectMsMax,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementMsMax,
    lock_timeout: lockMsMax,
    // Where no answer comes at all: longer than the database itself lets a statement take.
    query_timeout: 12_000,
    keepAlive: true,
    idle_in_transaction_session_timeout: 15_000,
    application_name: "gateway",
  });
  // A connection that breaks while it idles in the pool is replaced; without a listener it would end us.
  pool.on("error", onIdleError);
  // Without a listener, a connection that breaks between two statements would end the process. The next
  // statement reports it.
  pool.on("connect", (client) => client.on("error", () => undefined));
  // A connection that still owes an answer to an abandoned statement is closed, not reused.
  pool.on("release", (_error, client) => {
    if (!Reflect.get(client, "readyForQuery")) void client.end();
  });
  return pool;
}

export function openDb(pool: Pool): Db {
  // The pool bounds the wait for a connection, and PostgreSQL each statement and each pause between two.
  const transactionOptions = { maxWait: connectMsMax, timeout: transactionMsMax };
  const adapter = new PrismaPg(pool, { statementNameGenerator: createNames() });
  return new PrismaClient({ adapter, transactionOptions, errorFormat: "minimal" });
}

// PostgreSQL keeps each of them for each connection.
const namesMax = 300;
const namedLengthMax = 4_000;

// PostgreSQL parses and plans a named statement once per connection. Beyond these bounds, statements have no
// name.
function createNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size === namesMax || sql.length > namedLengthMax) return "";
    const name = `prisma-${names.size}`;
    names.set(sql, name);
    return name;
  };
}

/** Runs all of it or nothing, on one connection. */
export function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.$transaction(work);
}

/** Runs one statement beside Prisma, whose engine takes 50 MB of a program that needs it for nothing else. */
export async function runSql<T extends object>(
  pool: Pool,
  { text, values }: Prisma.Sql,
): Promise<T[]> {
  return (await pool.query<T>(text, values)).rows;
}

const deadlock = "40P01";
const pauseMs = 50;

/** A transaction that waited for another which waited for it is tried once more. */
export async function retryingDeadlock<T>(transaction: () => Promise<T>): Promise<T> {
  try {
    return await transaction();
  } catch (error) {
    if (databaseCode(error) !== deadlock) throw error;
    // The pause lets the other one go first: at once, the two would meet again.
    await setTimeout(pauseMs);
    return transaction();
  }
}

// Where Prisma keeps the database's error: in the error's meta, or as the cause of BEGIN and COMMIT.
const Below = z.object({ kind: z.string().optional(), originalCode: z.string().optional() });
const Wrapped = z.union([
  z.object({ meta: z.object({ driverAdapterError: z.object({ cause: Below }) }) }),
  z.object({ cause: Below }),
]);

/** Returns PostgreSQL's code of a failed statement, or Prisma's word for a lost connection. */
export function databaseCode(error: unknown): string | undefined {
  if (error instanceof DatabaseError) return error.code;
  if (!(error instanceof Error)) return undefined;
  const { data } = Wrapped.safeParse(error);
  if (data === undefined) return undefined;
  const below = "meta" in data ? data.meta.driverAdapterError.cause : data.cause;
  return below.originalCode ?? below.kind;
}

/** The name of the foreign key that a statement broke, if it broke one. */
export function brokenReference(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const broken = BrokenReference.safeParse(Reflect.get(error, "meta")).data;
  return broken?.driverAdapterError.cause.constraint.index;
}

const BrokenReference = z.object({
  driverAdapterError: z.object({
    cause: z.object({
      originalCode: z.literal("23503"),
      constraint: z.object({ index: z.string() }),
    }),
  }),
});

/**
 * Runs a transaction whose work a later run would repeat if a crash undid it. It does not wait for the disk, so
 * its locks are short.
 */
export function inBackgroundTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    await tx.$executeRaw`SET LOCAL synchronous_commit = off`;
    return work(tx);
  });
}
