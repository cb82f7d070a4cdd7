import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Pool, PoolClient } from "pg";
import { retryingDeadlock } from "./db";

// Applies prisma/migrations the way `prisma migrate deploy` does, and records them in its table, so
// that Prisma's own commands agree with what stands here. Nothing of Prisma's engine is needed.

export class MigrationError extends Error {
  override name = "MigrationError";
}

interface Migration {
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

export async function migrate(pool: Pool, folder: string, lockMsMax = 60_000): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const client = await pool.connect();
  try {
    await client.query("SET statement_timeout = 0; SET lock_timeout = 0");
    await client.query({
      text: "SELECT pg_advisory_lock($1)",
      values: [migrationLock],
      ...unhurried,
    });
    // From here on others wait behind what this waits for.
    await client.query("SELECT set_config('lock_timeout', $1, false)", [`${lockMsMax}ms`]);
    await client.query(migrationsTable);
    const pending = unapplied(migrations, await readApplied(client));
    for (const migration of pending) await apply(client, migration);
    return pending.map(({ name }) => name);
  } finally {
    // The session's settings and lock go with the connection.
    client.release(true);
  }
}

/** What this version lacks. A newer one may have been here: its own instances see to what it added. */
export async function pendingMigrations(pool: Pool, folder: string): Promise<string[]> {
  const [migrations, applied] = await Promise.all([readMigrations(folder), readApplied(pool)]);
  const finished = applied.filter(({ finished_at }) => finished_at !== null);
  return lacking(migrations, finished).map(({ name }) => name);
}

function lacking(migrations: Migration[], applied: Applied[]): Migration[] {
  const names = new Set(applied.map(({ migration_name }) => migration_name));
  return migrations.filter(({ name }) => !names.has(name));
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(path.join(folder, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

async function readApplied(client: Pool | PoolClient): Promise<Applied[]> {
  const { rows } = await client.query<Applied>(
    `SELECT migration_name, checksum, finished_at FROM _prisma_migrations
     WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  return rows;
}

function unapplied(migrations: Migration[], applied: Applied[]): Migration[] {
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

// An instance that still runs writes meanwhile, and may lock the tables in another order.
async function apply(client: PoolClient, migration: Migration): Promise<void> {
  try {
    await retryingDeadlock(() => applyOnce(client, migration));
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new MigrationError(
      `Migration ${migration.name} failed and was rolled back; the database is as it was. PostgreSQL said: ${said}`,
      { cause },
    );
  }
}

async function applyOnce(client: PoolClient, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query("BEGIN");
    await client.query({ text: sql, ...unhurried });
    await client.query(
      `INSERT INTO _prisma_migrations
         (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES (gen_random_uuid()::text, $1, $2, clock_timestamp(), clock_timestamp(), 1)`,
      [checksum, name],
    );
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
