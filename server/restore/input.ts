import type { Manifest } from "@/lib/engine/backup/manifest";
import type { BackupFile } from "@/lib/engine/backup/read-archive";
import type { Db } from "@/lib/engine/db";
import type { Env } from "@/lib/engine/env";
import type { Log } from "@/lib/engine/log";
import type { Ctx } from "@/lib/services/context";

/**
 * Reads what it needs before anything changes, and returns what is then done to the restored database, before anybody
 * uses it; that returns what an admin has to know.
 */
export type AfterCopy = (
  live: LiveGateway,
  manifest: Manifest,
) => Promise<(restored: Ctx) => Promise<string[]>>;

export interface LiveGateway {
  env: Env;
  /** Null where no gateway has ever used the database. */
  db: Db | null;
}

export interface RestoreInput {
  env: Env;
  log: Log;
  /** Of the names and of the restore point. */
  now: Date;
  file: string;
  /** Who restores, as admins read it: on the first page nobody has an account yet. */
  by: "gateway" | "shell";
  afterCopy: AfterCopy;
  /** Throws where the gateway does not work on the database at this address. */
  checkHealth: (url: string) => Promise<void>;
}

export interface RestoreOutcome {
  manifest: Manifest;
  /** The file with what was there before; null where nothing was. */
  restorePoint: string | null;
  /** Sentences for the admin. */
  notes: string[];
}

/** A file of which every byte was checked, and what it holds. */
export interface CheckedFile {
  source: BackupFile;
  manifest: Manifest;
}
