import path from "node:path";
import type { Client } from "pg";
import { loadBackup } from "@/lib/engine/backup/load-backup";
import { BackupRefused } from "@/lib/engine/backup/refused";
import { createEngine, type Engine } from "@/lib/engine/engine";
import type { Env } from "@/lib/engine/env";
import type { Log } from "@/lib/engine/log";
import { migrate, migrateWithin } from "@/lib/engine/migrate";
import { findBrokenLog } from "@/lib/services/backup/verify-restored";
import { withClient } from "./client";
import { markInPlace } from "./databases";
import type { CheckedFile } from "./input";

export const migrationsFolder = path.resolve("prisma");

export interface Place {
  env: Env;
  log: Log;
  url: string;
}

/** Writes a file into a new database, and brings it to the schema of this version. */
export async function fillNew(place: Place, { source, manifest }: CheckedFile): Promise<void> {
  const only = manifest.migrations.map(({ name }) => name);
  await withEngine(place, async ({ pool }) => {
    await migrate(pool, migrationsFolder, { only });
    await withClient(place.url, async (client) => {
      await client.query("BEGIN");
      await loadBackup(client, source, manifest);
      await client.query("COMMIT");
    });
    await migrate(pool, migrationsFolder);
  });
}

/**
 * Replaces what a database holds, in one transaction: where the role may not create another one. Others wait for its end,
 * and see all of it or nothing. `refuse` may throw once they wait.
 */
export async function fillInPlace(
  { url, name, restorePoint }: { url: string; name: string; restorePoint: string | null },
  { source, manifest }: CheckedFile,
  refuse = async (_client: Client) => {},
): Promise<void> {
  const only = manifest.migrations.map(({ name }) => name);
  await withClient(url, async (client) => {
    await beginEmpty(client);
    await refuse(client);
    await migrateWithin(client, migrationsFolder, only);
    await loadBackup(client, source, manifest);
    await migrateWithin(client, migrationsFolder);
    await markInPlace(client, name, restorePoint);
    await client.query("COMMIT");
  });
}

/** Leaves a database as a first start finds it. */
export async function emptyInPlace(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await beginEmpty(client);
    await client.query("COMMIT");
  });
}

/** Throws unless the restored database is one that the gateway can work on. */
export async function verifyRestored(place: Place): Promise<void> {
  await withClient(place.url, async (client) => {
    await client.query("ANALYZE");
    await refuseDisabledTriggers(client);
  });
  const broken = await withEngine(place, findBrokenLog);
  if (broken === null) return;
  throw new BackupRefused(
    `The log of profile ${broken} is not as it was sealed: take another backup. The database is as it was before.`,
  );
}

export async function withEngine<T>(
  { env, log, url }: Place,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const engine = createEngine({ ...env, DATABASE_URL: url }, log);
  try {
    return await work(engine);
  } finally {
    await engine.stop();
  }
}

async function beginEmpty(client: Client): Promise<void> {
  await client.query("BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '60s'");
  await client.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
}

async function refuseDisabledTriggers(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT tgname AS name FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'O'",
  );
  if (rows.length > 0) throw new Error(`trigger ${rows[0]?.name} is disabled`);
}
