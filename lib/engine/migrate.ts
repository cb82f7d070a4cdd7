import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { ClientBase, Pool, PoolClient } from "pg";
import { retryingDeadlock } from "./db";

// Applies prisma/migrations like `prisma migrate deploy`, and records them in its table, so that Prisma's
// commands agree. Needs no Prisma engine. Then applies each changed file of prisma/functions.

export class MigrationError extends Error {
  override name = "MigrationError";
}

interface Script {
  name: string;
  sql: string;
  checksum: string;
}

interface Applied {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

// A migration may rewrite a table: the pool's own patience is for requests.
const unhurried = { query_timeout: 24 * 60 * 60_000 };

// The number Prisma locks under: its commands and this function wait for each other.
const migrationLock = 72707369;

export interface MigrateSettings {
  /** The database's name in messages. */
  description?: string;
  lockMsMax?: number;
  /** Applies these migrations only, and no functions: the state of a backup. */
  only?: readonly string[];
}

/** Migrates the database to the state of `folder`, and returns the names of the migrations it applied. */
export async function migrate(
  pool: Pool,
  folder: string,
  { description = "DATABASE_URL", lockMsMax = 60_000, only }: MigrateSettings = {},
): Promise<string[]> {
  const { migrations, functions } = await readScriptsOf(folder, only);
  const client = await pool.connect();
  try {
    await client.query("SET statement_timeout = 0; SET lock_timeout = 0");
    await client.query({
      text: "SELECT pg_advisory_lock($1)",
      values: [migrationLock],
      ...unhurried,
    });
    // From here on, others wait for what this waits for.
    await client.query("SELECT set_config('lock_timeout', $1, false)", [`${lockMsMax}ms`]);
    await client.query(migrationsTable);
    const applied = await readApplied(client);
    refuseEarlier(migrations, applied, description);
    const pending = unapplied(migrations, applied);
    for (const migration of pending) await apply(client, migration);
    for (const script of await changed(client, functions)) await define(client, script);
    return pending.map(({ name }) => name);
  } finally {
    // The session's settings and lock go with the connection.
    client.release(true);
  }
}

/** Applies migrations in the caller's transaction, to an empty schema. */
export async function migrateWithin(
  client: ClientBase,
  folder: string,
  only?: readonly string[],
): Promise<void> {
  const { migrations, functions } = await readScriptsOf(folder, only);
  await client.query(migrationsTable);
  const pending = lacking(migrations, await readApplied(client));
  for (const migration of pending) await runMigration(client, migration);
  for (const script of await changed(client, functions)) await runFunction(client, script);
}

/** Returns the migrations of this version. */
export async function knownMigrations(
  folder: string,
): Promise<Pick<Script, "name" | "checksum">[]> {
  return readMigrations(folder);
}

async function readScriptsOf(folder: string, only?: readonly string[]) {
  const all = await readMigrations(folder);
  if (only === undefined) return { migrations: all, functions: await readFunctions(folder) };
  return { migrations: all.filter(({ name }) => only.includes(name)), functions: [] };
}

/** Returns the migrations that the database lacks. Newer ones may be there: their own instances handle them. */
export async function pendingMigrations(pool: Pool, folder: string): Promise<string[]> {
  const [migrations, applied] = await Promise.all([readMigrations(folder), readApplied(pool)]);
  const finished = applied.filter(({ finished_at }) => finished_at !== null);
  return lacking(migrations, finished).map(({ name }) => name);
}

function lacking(migrations: Script[], applied: Applied[]): Script[] {
  const names = new Set(applied.map(({ migration_name }) => migration_name));
  return migrations.filter(({ name }) => !names.has(name));
}

async function readMigrations(folder: string): Promise<Script[]> {
  const migrations = path.join(folder, "migrations");
  const entries = await readdir(migrations, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return readScripts(names, (name) => path.join(migrations, name, "migration.sql"));
}

async function readFunctions(folder: string): Promise<Script[]> {
  const functions = path.join(folder, "functions");
  const names = (await readdir(functions)).map((file) => path.basename(file, ".sql"));
  return readScripts(names, (name) => path.join(functions, `${name}.sql`));
}

function readScripts(names: string[], fileOf: (name: string) => string): Promise<Script[]> {
  return Promise.all(
    names.toSorted().map(async (name) => {
      const sql = await readFile(fileOf(name), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

async function readApplied(client: Pool | ClientBase): Promise<Applied[]> {
  const { rows } = await client.query<Applied>(
    `SELECT migration_name, checksum, finished_at FROM _prisma_migrations
     WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  return rows;
}

// Before the first release there was another schema under the name of the first migration.
function refuseEarlier(migrations: Script[], applied: Applied[], description: string): void {
  const [first] = migrations;
  const known = applied.find(({ migration_name: name }) => name === first?.name);
  if (known === undefined || known.checksum === first?.checksum) return;
  throw new MigrationError(
    `The database (${description}) was made by an earlier version, and its data cannot be taken over. Nothing was changed. ` +
      "Move it aside and start again to begin with an empty one, or stay on the version before.",
  );
}

function unapplied(migrations: Script[], applied: Applied[]): Script[] {
  for (const { migration_name: name, checksum, finished_at } of applied) {
    const known = migrations.find((migration) => migration.name === name);
    if (finished_at === null) {
      throw new MigrationError(
        `Migration ${name} failed half way in an earlier run of \`prisma migrate\`; resolve it with \`npx prisma migrate resolve\`, then start again.`,
      );
    }
    if (known === undefined) {
      throw new MigrationError(
        `The database has migration ${name}, which this version does not know: a newer version of the gateway was here. Start that version.`,
      );
    }
    if (known.checksum !== checksum) {
      throw new MigrationError(
        `Migration ${name} was changed after it was applied. Put its file back as it was and add a new migration instead.`,
      );
    }
  }
  return lacking(migrations, applied);
}

// A running instance goes on writing, and may lock tables in another order.
async function apply(client: PoolClient, migration: Script): Promise<void> {
  await inOneGo(client, `Migration ${migration.name}`, () => runMigration(client, migration));
}

async function runMigration(client: ClientBase, { name, sql, checksum }: Script): Promise<void> {
  await client.query({ text: sql, ...unhurried });
  await client.query(
    `INSERT INTO _prisma_migrations
       (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES (gen_random_uuid()::text, $1, $2, clock_timestamp(), clock_timestamp(), 1)`,
    [checksum, name],
  );
}

// The comment on a function holds the checksum of its file.
async function changed(client: ClientBase, scripts: Script[]): Promise<Script[]> {
  const { rows } = await client.query<{ name: string; checksum: string | null }>(
    `SELECT proname AS name, obj_description(oid, 'pg_proc') AS checksum
     FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname = ANY ($1)`,
    [scripts.map(({ name }) => name)],
  );
  const standing = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  return scripts.filter(({ name, checksum }) => standing.get(name) !== checksum);
}

async function define(client: PoolClient, script: Script): Promise<void> {
  await inOneGo(client, `prisma/functions/${script.name}.sql`, () => runFunction(client, script));
}

async function runFunction(client: ClientBase, { name, sql, checksum }: Script): Promise<void> {
  await client.query(sql);
  await client.query(`COMMENT ON FUNCTION ${name} IS '${checksum}'`);
}

async function inOneGo(client: PoolClient, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await retryingDeadlock(() => once(client, work));
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new MigrationError(
      `${what} failed and was rolled back; the database is as it was. PostgreSQL said: ${said}`,
      { cause },
    );
  }
}

async function once(client: PoolClient, work: () => Promise<void>): Promise<void> {
  try {
    await client.query("BEGIN");
    await work();
    await client.query("COMMIT");
  } catch (cause) {
    await client.query("ROLLBACK");
    throw cause;
  }
}

// As Prisma creates it, to the letter.
const migrationsTable = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                  VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum            VARCHAR(64) NOT NULL,
    finished_at         TIMESTAMPTZ,
    migration_name      VARCHAR(255) NOT NULL,
    logs                TEXT,
    rolled_back_at      TIMESTAMPTZ,
    started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;
