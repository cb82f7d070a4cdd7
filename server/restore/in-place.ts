import type { Client } from "pg";
import { checkBackup } from "@/lib/engine/backup/check-backup";
import { refuseUnhealthy } from "./by-swap";
import { withClient } from "./client";
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
  await withClient(url, refuseUsed);
  await fillInPlace({ url, name }, checked);
  try {
    await finish({ ...input, url });
    await refuseUnhealthy(input, url);
  } catch (error) {
    if (restorePoint === null) await emptyInPlace(url);
    else {
      const source = { file: restorePoint, passphrase: input.env.BACKUP_PASSPHRASE };
      await fillInPlace({ url, name }, { source, manifest: await checkBackup(source) });
    }
    await confirmRestore(admin, name);
    throw error;
  }
  await confirmRestore(admin, name);
}
