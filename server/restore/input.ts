import type { Manifest } from "@/lib/engine/backup/manifest";
import type { BackupFile } from "@/lib/engine/backup/read-archive";
import type { Db } from "@/lib/engine/db";
import type { Env } from "@/lib/engine/env";
import type { Log } from "@/lib/engine/log";

/**
 * Reads what it needs from the live database before anything changes, and returns what is then done to the restored one,
 * before anybody uses it. `live` is null where no gateway has ever used that database.
 */
export type AfterCopy = (
  live: Db | null,
  manifest: Manifest,
) => Promise<(restored: Db) => Promise<void>>;

export interface RestoreInput {
  env: Env;
  log: Log;
  /** Of the names and of the restore point. */
  now: Date;
  file: string;
  afterCopy: AfterCopy;
  /** Throws where the gateway does not work on the database at this address. */
  checkHealth: (url: string) => Promise<void>;
}

export interface RestoreOutcome {
  manifest: Manifest;
  /** The file with what was there before; null where nothing was. */
  restorePoint: string | null;
}

/** A file of which every byte was checked, and what it holds. */
export interface CheckedFile {
  source: BackupFile;
  manifest: Manifest;
}
