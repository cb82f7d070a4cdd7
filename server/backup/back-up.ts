import { mkdir, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { makeBackup } from "@/lib/engine/backup/make-backup";
import { BackupRefused } from "@/lib/engine/backup/refused";
import { targetOf } from "@/lib/engine/backup/target/open-target";
import { backupName, pruneBackups, writeSummary } from "@/lib/engine/backup/target/retention";
import { type BackupTarget, localFile } from "@/lib/engine/backup/target/target";
import { partEnding } from "@/lib/engine/backup/write-archive";
import type { Env } from "@/lib/engine/env";
import type { BackupOutcome } from "@/lib/services/backup/record-backup";
import product from "@/package.json";

/** Makes a backup of the database at `url`, stores it, and deletes old ones. */
export async function backUp(env: Env, url: string, madeAt: Date): Promise<BackupOutcome> {
  const target = targetOf(env);
  await inFolder(target.folder, () => sweep(target.folder));
  const outcome = await storeBackup({ env, url, madeAt, target, gently: true });
  await pruneBackups(target);
  return outcome;
}

export interface BackupOrder {
  env: Env;
  url: string;
  madeAt: Date;
  target: BackupTarget;
  gently?: boolean;
}

export async function storeBackup(order: BackupOrder): Promise<BackupOutcome> {
  const { madeAt, target } = order;
  const began = performance.now();
  const name = backupName(madeAt);
  const { bytes, sha256, manifest } = await writeBackup(order);
  await target.store(name, sha256);
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const { madeAt: at, version } = manifest;
  await writeSummary(target, name, { bytes, madeAt: at, version, rows });
  return { file: name, bytes, madeAt: at, tookMs: Math.round(performance.now() - began) };
}

async function writeBackup({ env, url, madeAt, target, gently }: BackupOrder) {
  const { BACKUP_PASSPHRASE: passphrase } = env;
  const { version } = product;
  const file = localFile(target, backupName(madeAt));
  return inFolder(target.folder, () =>
    makeBackup({ url, file, passphrase, version, madeAt, gently }),
  );
}

async function inFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await work();
  } catch (error) {
    throw explain(error, folder);
  }
}

// A backup that goes on writes all the time.
const staleMs = 10 * 60_000;

/** Removes what killed backups and restores left behind. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith("gateway-") || !name.endsWith(partEnding)) continue;
    const file = path.join(folder, name);
    const { mtimeMs } = await stat(file);
    if (Date.now() - mtimeMs > staleMs) await rm(file);
  }
}

const faults: Record<string, string> = {
  ENOSPC: "is full: free some space, or set BACKUP_URL to another place.",
  EDQUOT: "is full for this user: free some space, or set BACKUP_URL to another place.",
  EROFS: "is read-only: set BACKUP_URL to another place.",
  EACCES: "cannot be written: run this as the user who runs the gateway.",
  EPERM: "cannot be written: run this as the user who runs the gateway.",
  ENOTDIR: "is not a folder: set BACKUP_URL to another place.",
  EEXIST: "is not a folder: set BACKUP_URL to another place.",
};

const stopped = /^(57P0\d|ECONNRESET|EPIPE)$|Connection terminated/;

function explain(cause: unknown, folder: string): unknown {
  if (!(cause instanceof Error)) return cause;
  const code = "code" in cause ? String(cause.code) : "";
  if (stopped.test(code || cause.message)) {
    return new BackupRefused("The database stopped during the backup: try again.", { cause });
  }
  if (code === "55P03") {
    return new BackupRefused("A table is locked, as by an upgrade: try again later.", { cause });
  }
  const fault = faults[code];
  if (fault === undefined) return cause;
  return new BackupRefused(`The folder for backups, ${folder}, ${fault}`, { cause });
}
