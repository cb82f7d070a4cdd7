import { statfs } from "node:fs/promises";
import path from "node:path";
import type { Client } from "pg";
import type { Manifest } from "@/lib/engine/backup/manifest";
import { BackupRefused } from "@/lib/engine/backup/refused";
import type { Env } from "@/lib/engine/env";
import type { Log } from "@/lib/engine/log";
import { reachDatabase } from "../database";
import { readPasswords, SUPERUSER } from "../embedded-postgres/initialise";
import { withClient } from "./client";
import { allowConnections, nameLengthMax } from "./databases";

/** The database that a restore replaces. */
export interface Reached {
  /** With the gateway's own role. */
  url: string;
  name: string;
  /** By a role that may create databases; null where there is none. */
  adminUrl: string | null;
  /** Where the embedded database keeps its files. */
  folder: string | null;
  stop(): Promise<void>;
}

export async function reachForRestore(env: Env, log: Log): Promise<Reached> {
  const { DATABASE_URL: own } = env;
  if (own !== undefined) {
    await reopen(own);
    const adminUrl = await ownAdminUrl(own);
    return { url: own, name: nameOf(own), adminUrl, folder: null, stop: async () => undefined };
  }
  const { url, stop } = await reachDatabase(env, log);
  const folder = path.resolve(env.DATA_FOLDER, "postgres");
  const { superuser } = await readPasswords(folder);
  const adminUrl = atDatabase(url, "postgres");
  adminUrl.username = SUPERUSER;
  adminUrl.password = superuser;
  return { url, name: nameOf(url), adminUrl: adminUrl.href, folder, stop };
}

/** A restore that was killed while it swapped leaves a database that takes no connections. Its owner may open it. */
async function reopen(url: string): Promise<void> {
  try {
    await withClient(url, async () => undefined);
  } catch (error) {
    const isClosed = error instanceof Error && "code" in error && error.code === "55000";
    if (!isClosed) throw error;
    const { href } = atDatabase(url, "postgres");
    await withClient(href, (admin) => allowConnections(admin, nameOf(url), true));
  }
}

export function atDatabase(url: string, name: string): URL {
  const other = new URL(url);
  other.pathname = `/${encodeURIComponent(name)}`;
  return other;
}

/**
 * Refuses beside a gateway: what it writes from here on would be lost. One that serves an empty database has nothing to
 * lose, and is cut off for a moment.
 */
export async function refuseRunning(client: Client): Promise<void> {
  if (!(await isUsed(client)) || (await isWithoutUsers(client))) return;
  throw new BackupRefused("The gateway is running: stop it, and restore again.");
}

/** Refuses beside any gateway: it would go on in a database that is half restored. */
export async function refuseUsed(client: Client): Promise<void> {
  if (!(await isUsed(client))) return;
  throw new BackupRefused(
    "The user in DATABASE_URL may create no database to restore into: stop the gateway, and run npm run restore.",
  );
}

async function isUsed(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND application_name IN ('gateway', 'gateway-backup')`,
  );
  return rowCount !== 0;
}

async function isWithoutUsers(client: Client): Promise<boolean> {
  if (await isEmpty(client)) return true;
  const { rowCount } = await client.query(`SELECT FROM "User" LIMIT 1`);
  return rowCount === 0;
}

// An index takes more room than what it is of, and the text of a backup has none.
const bytesPerTextByte = 4;

/** Refuses where the disk of the embedded database cannot hold a second one. */
export async function refuseFull(
  client: Client,
  { folder }: Reached,
  { tables }: Manifest,
): Promise<void> {
  if (folder === null) return;
  const { rows } = await client.query<{ bytes: string }>(
    "SELECT pg_database_size(current_database()) AS bytes",
  );
  const text = tables.reduce((sum, table) => sum + table.bytes, 0);
  const needed = Math.max(Number(rows[0]?.bytes), text * bytesPerTextByte);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= needed) return;
  const free = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;
  throw new BackupRefused(
    `The restore needs ${free(needed)} on the disk of ${folder}, which has ${free(bavail * bsize)}: free some space.`,
  );
}

/** Whether no gateway has ever used the database. */
export async function isEmpty(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ isEmpty: boolean }>(
    `SELECT to_regclass('public."User"') IS NULL AS "isEmpty"`,
  );
  return rows[0]?.isEmpty ?? true;
}

async function ownAdminUrl(url: string): Promise<string | null> {
  const isAble = await withClient(url, async (client) => {
    const { rows } = await client.query<{ isAble: boolean }>(
      `SELECT (r.rolcreatedb OR r.rolsuper) AND pg_has_role(d.datdba, 'MEMBER') AND length(d.datname) <= ${nameLengthMax} AS "isAble"
       FROM pg_roles r, pg_database d WHERE r.rolname = current_user AND d.datname = current_database()`,
    );
    return rows[0]?.isAble ?? false;
  });
  if (!isAble) return null;
  const adminUrl = atDatabase(url, "postgres").href;
  try {
    await withClient(adminUrl, (client) => client.query("SELECT"));
    return adminUrl;
  } catch {
    // No such database, or not for this role: everything happens in the live one then.
    return null;
  }
}

function nameOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}
