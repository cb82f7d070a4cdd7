import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { tidyDatabases } from "../restore/databases";
import { claimFolder, type Folder, inspectFolder, openParent } from "./folder";
import { freeFolder } from "./folder-lock";
import { initialise, type Passwords, readPasswords, SUPERUSER } from "./initialise";
import { chooseLauncher, type Launcher } from "./launcher";
import type { Log } from "./lines";
import { type Attempt, type Exit, isPassing, type Postmaster, startPostmaster } from "./postmaster";
import { refusal, StartRefused } from "./refusal";

export type EmbeddedPostgres = {
  /** The URL of the database `gateway` with its role. It contains a password: never log it. */
  url: string;
  pid: number;
  /** Resolves when PostgreSQL ends, for any reason. */
  exited: Promise<Exit>;
  stop(): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  dataFolder: string;
  log?: Log;
  settings?: Record<string, string>;
  /** Additional environment of its processes: their clock, in tests. */
  environment?: Record<string, string>;
};

export const DATABASE = "gateway";
export const ROLE = "gateway";
// A killed server needs a moment to end.
const PATIENCE_MS_MAX = 10_000;
const RETRY_MS = 50;

const SETTINGS = {
  max_connections: "100",
  shared_buffers: "128MB",
  huge_pages: "off",
  fsync: "on",
  full_page_writes: "on",
  synchronous_commit: "on",
  wal_level: "replica",
  max_wal_size: "1GB",
  // After a checkpoint, whole pages go into the log; without room, a writer would wait for the disk with its
  // locks.
  wal_buffers: "16MB",
  // Analyzes a growing table within ten seconds instead of a minute, so that plans made for an empty one go.
  autovacuum_naptime: "10s",
  TimeZone: "UTC",
  log_timezone: "UTC",
  lc_messages: "C",
  log_destination: "stderr",
  logging_collector: "off",
  log_line_prefix: "",
  // Statements, values and the errors of queries never reach the log: our caller gets those.
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  // Counts statements for admins. Utility statements are left out: the text of CREATE ROLE has its password.
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.track_utility": "off",
  "pg_stat_statements.max": "1000",
};

/** Starts npm's PostgreSQL on its own folder; throws StartRefused. */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { dataFolder, log = () => undefined, settings = {}, environment } = options;
  let path = dataFolder;
  try {
    const folder = await inspectFolder(dataFolder);
    path = folder.path;
    const runner = await prepare(folder, log);
    const passwords = await readPasswords(path);
    const { port, pid, exited, stop } = await startPatiently({
      path,
      runner,
      log,
      settings: { ...SETTINGS, ...settings },
      environment,
    });
    await ensureDatabase({ port, passwords, log }).catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    const url = `postgresql://${ROLE}:${passwords.gateway}@127.0.0.1:${port}/${DATABASE}`;
    return { url, pid, exited, stop };
  } catch (error) {
    throw refusal(path, error);
  }
}

async function prepare(folder: Folder, log: Log): Promise<Launcher> {
  const { path, majorVersion, owner } = folder;
  // Before anything is touched: a folder in use keeps its owner and its permissions.
  await freeFolder(path, log);
  const runner = await chooseLauncher(path, owner);
  if (majorVersion && majorVersion !== runner.majorVersion) {
    throw new StartRefused(
      `The database in ${path} is of PostgreSQL ${majorVersion}, this version brings PostgreSQL ${runner.majorVersion}, and it was left as it is: run npm run backup with the version before, or take the newest backup, move ${path} aside, and run npm run restore FILE with this version.`,
    );
  }
  if (await openParent(path, runner)) {
    log("warn", `let user ${runner.filesOf?.uid} pass through the folder above ${path}`);
  }
  if (majorVersion) await claimFolder(folder, runner);
  else await initialise(path, runner);
  return runner;
}

async function startPatiently(attempt: Omit<Attempt, "staleFile">): Promise<Postmaster> {
  const deadline = Date.now() + PATIENCE_MS_MAX;
  for (;;) {
    const staleFile = await freeFolder(attempt.path, attempt.log);
    try {
      return await startPostmaster({ ...attempt, staleFile });
    } catch (error) {
      if (!isPassing(error) || Date.now() > deadline) throw error;
    }
    await delay(RETRY_MS);
  }
}

const undone =
  "A restore was interrupted, and the database is as it was before: run npm run restore again.";

interface Ensuring {
  port: number;
  passwords: Passwords;
  log: Log;
}

// An SQL injection must not reach the files and programs that a superuser reaches.
async function ensureDatabase({ port, passwords, log }: Ensuring): Promise<void> {
  await asSuperuser({ port, passwords, database: "postgres" }, async (client) => {
    if (await tidyDatabases(client, DATABASE, new Date())) log("warn", undone);
    const role = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [ROLE]);
    const password = client.escapeLiteral(passwords.gateway);
    if (!role.rowCount) await client.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD ${password}`);
    // Older versions gave it this right, which it has no use for.
    await client.query(`ALTER ROLE ${ROLE} NOCREATEDB`);
    const database = await client.query("SELECT FROM pg_database WHERE datname = $1", [DATABASE]);
    if (!database.rowCount) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${ROLE}`);
  });
  // In its own schema: `public` is the gateway's, as migrations define it.
  await asSuperuser({ port, passwords, database: DATABASE }, async (client) => {
    await client.query(`CREATE SCHEMA IF NOT EXISTS statistics;
      CREATE EXTENSION IF NOT EXISTS pg_stat_statements SCHEMA statistics;
      GRANT USAGE ON SCHEMA statistics TO ${ROLE}`);
  });
}

type Where = { port: number; passwords: Passwords; database: string };

async function asSuperuser(where: Where, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({
    host: "127.0.0.1",
    port: where.port,
    user: SUPERUSER,
    password: where.passwords.superuser,
    database: where.database,
    connectionTimeoutMillis: 10_000,
    query_timeout: 30_000,
  });
  // Without a listener, a lost connection would end the process; the statement under way rejects anyway.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end();
  }
}
