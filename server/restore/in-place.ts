import type { Client } from "pg";
import { checkBackup } from "@/lib/engine/backup/check-backup";
import type { Manifest } from "@/lib/engine/backup/manifest";
import type { BackupFile } from "@/lib/engine/backup/read-archive";
import { BackupRefused } from "@/lib/engine/backup/refused";
import { readState } from "@/lib/engine/backup/restore-state";
import { refuseUnhealthy } from "./by-swap";
import { confirmRestore } from "./databases";
import { emptyInPlace, fillInPlace, type Place } from "./fill";
import type { CheckedFile, RestoreInput } from "./input";
import { type Reached, refuseUsed } from "./reach";

interface Replacement {
  checked: CheckedFile;
  reached: Reached;
  admin: Client;
  finish: (restored: Place) => Promise<void>;
  /** The file with what was there before. */
  restorePoint: string | null;
}

/** Where the role may create no database: replaces the tables, and puts back those of before if the gateway fails. */
export async function replaceInPlace(
  input: RestoreInput,
  { checked, reached: { url, name }, admin, finish, restorePoint }: Replacement,
): Promise<void> {
  await fillInPlace({ url, name, restorePoint }, checked, refuseUsed);
  try {
    await finish({ ...input, url });
    await refuseUnhealthy(input, url);
  } catch (error) {
    await undoInPlace(input, { url, name }, admin);
    throw error;
  }
  await confirmRestore(admin, name);
}

/** Puts back what was there before a restore that was not confirmed, as one that was killed leaves it. */
export async function undoInPlace(
  { env }: RestoreInput,
  { url, name }: Pick<Reached, "url" | "name">,
  admin: Client,
): Promise<void> {
  const state = await readState(admin, name);
  if (state === null || state.confirmed || state.before !== null) return;
  const { restorePoint = null } = state;
  if (restorePoint === null) await emptyInPlace(url);
  else {
    const source = { file: restorePoint, passphrase: env.BACKUP_PASSPHRASE };
    const checked = { source, manifest: await checkRestorePoint(source) };
    await fillInPlace({ url, name, restorePoint }, checked);
  }
  await confirmRestore(admin, name);
}

function checkRestorePoint(source: BackupFile): Promise<Manifest> {
  return checkBackup(source).catch((cause: unknown) => {
    if (!(cause instanceof BackupRefused)) throw cause;
    throw new BackupRefused(
      `A restore was interrupted, and ${source.file}, which has what was there before, cannot be read: put it back, or restore into a new database. ${cause.message}`,
      { cause },
    );
  });
}
