import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { Client } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { listTables, lockTables, type RootTable, readSequences } from "./catalog";
import { backupFormat, type Manifest, manifestName, type TableEntry } from "./manifest";
import { BackupRefused } from "./refused";
import { type Archive, createArchive, type StoredFile } from "./write-archive";

export interface BackupInput {
  url: string;
  file: string;
  passphrase: string | undefined;
  /** The gateway's. */
  version: string;
  madeAt: Date;
  /** Rests as long as it works, for a gateway that goes on. */
  gently?: boolean;
}

const partBytes = 4 * 1024 * 1024;
const lockMsMax = 60_000;
// "backup" in ASCII: one at a time on a database.
const backupLock = 107825087837552;

/** Writes all rows of one moment into a file, while others read and write. */
export async function makeBackup(input: BackupInput): Promise<StoredFile & { manifest: Manifest }> {
  const client = new Client({
    connectionString: input.url,
    application_name: "gateway-backup",
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // A lost connection is reported by the statement under way.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await takeTurn(client);
    const archive = createArchive(input.file, input.passphrase);
    try {
      const manifest = await writeSnapshot(client, archive, input);
      return { ...(await archive.finish()), manifest };
    } catch (error) {
      await archive.abandon(error);
      throw error;
    }
  } finally {
    // The transaction, which only read, and the lock end with the connection.
    await client.end();
  }
}

async function takeTurn(client: Client): Promise<void> {
  const { rows } = await client.query<{ isFree: boolean }>(
    `SELECT pg_try_advisory_lock($1) AS "isFree"`,
    [backupLock],
  );
  if (rows[0]?.isFree) return;
  throw new BackupRefused("Another backup is being made: wait until it has ended.");
}

async function writeSnapshot(client: Client, archive: Archive, input: BackupInput) {
  const { migrations, tables } = await beginSnapshot(client);
  const written: TableEntry[] = [];
  const rest = input.gently ? restAsLong() : async () => undefined;
  for (const table of tables) written.push(await writeTable(client, archive, table, rest));
  // Sequences are live in a snapshot, too: read last, they lie above every row.
  const sequences = await readSequences(client);
  const manifest: Manifest = {
    format: backupFormat,
    version: input.version,
    madeAt: input.madeAt.toISOString(),
    migrations,
    sequences,
    tables: written,
  };
  await archive.add(manifestName, Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`));
  return manifest;
}

async function beginSnapshot(client: Client) {
  // Neither SET nor LOCK takes the snapshot, so that nobody can empty a table between it and the lock.
  const locks = await lockTables(client);
  const before = await listTables(client);
  const settings = await settingsOf(client);
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  await client.query(settings);
  await client.query(`SET LOCAL lock_timeout = ${lockMsMax}`);
  for (const lock of locks) await client.query(lock);
  const tables = await listTables(client);
  if (JSON.stringify(tables) !== JSON.stringify(before) || tables.length === 0) {
    throw new BackupRefused(
      tables.length === 0
        ? "The database is empty: start the gateway once."
        : "The database was changed by an upgrade: make the backup again.",
    );
  }
  const { rows: migrations } = await client.query<{ name: string; checksum: string }>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
     WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  );
  return { tables, migrations };
}

// Values as any server reads them, and no limit on a long read.
async function settingsOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ version: number }>(
    "SELECT current_setting('server_version_num')::int AS version",
  );
  const newest = (rows[0]?.version ?? 0) >= 170_000 ? "SET LOCAL transaction_timeout = 0;" : "";
  return `SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; ${newest}
    SET LOCAL row_security = off; SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO';
    SET LOCAL IntervalStyle = 'postgres'; SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'`;
}

/** Returns what waits for as long as was worked since the rest before. PostgreSQL waits with it. */
function restAsLong(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    await setTimeout(performance.now() - since);
    since = performance.now();
  };
}

async function writeTable(
  client: Client,
  archive: Archive,
  { name, columns, copyOut }: RootTable,
  rest: () => Promise<void>,
): Promise<TableEntry> {
  const hash = createHash("sha256");
  let bytes = 0;
  let parts = 0;
  let held: Buffer[] = [];
  let heldBytes = 0;
  const flush = async () => {
    const part = `tables/${encodeURIComponent(name)}/${String(parts).padStart(6, "0")}`;
    const body = Buffer.concat(held);
    held = [];
    heldBytes = 0;
    parts += 1;
    await archive.add(part, body);
    await rest();
  };
  const copy = client.query(copyTo(copyOut));
  for await (const chunk of copy as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    heldBytes += chunk.length;
    held.push(chunk);
    if (heldBytes >= partBytes) await flush();
  }
  if (heldBytes > 0) await flush();
  return { name, columns, rows: copy.rowCount, bytes, parts, sha256: hash.digest("hex") };
}
