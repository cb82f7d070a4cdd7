import path from "node:path";
import type { Client } from "pg";
import { refuseOthersTables } from "@/lib/engine/backup/catalog";
import { checkBackup, refuseOtherVersion } from "@/lib/engine/backup/check-backup";
import { BackupRefused } from "@/lib/engine/backup/refused";
import { createFolderTarget } from "@/lib/engine/backup/target/folder";
import { targetOf } from "@/lib/engine/backup/target/open-target";
import { partEnding } from "@/lib/engine/backup/write-archive";
import { knownMigrations } from "@/lib/engine/migrate";
import { recordRestore } from "@/lib/services/backup/record-backup";
import { contextOf } from "@/lib/services/context";
import { storeBackup } from "../backup/back-up";
import { replaceBySwap } from "./by-swap";
import { withClient } from "./client";
import { tidyDatabases } from "./databases";
import { migrationsFolder, type Place, verifyRestored, withEngine } from "./fill";
import { replaceInPlace, undoInPlace } from "./in-place";
import type { CheckedFile, RestoreInput, RestoreOutcome } from "./input";
import { isEmpty, type Reached, reachForRestore, refuseFull, refuseRunning } from "./reach";

/** Puts a backup in the place of the database; throws with the database as it was before. */
export async function restore(input: RestoreInput): Promise<RestoreOutcome> {
  const { env, log, file, now } = input;
  const source = { file, passphrase: env.BACKUP_PASSPHRASE };
  const manifest = await checkBackup(source);
  refuseOtherVersion(manifest, await knownMigrations(migrationsFolder));
  const reached = await reachForRestore(env, log);
  try {
    return await withClient(reached.adminUrl ?? reached.url, async (admin) => {
      await takeTurn(admin, reached.name);
      if (reached.adminUrl === null) await undoInPlace(input, reached, admin);
      else await tidyDatabases(admin, reached.name, now);
      return await replace(input, { checked: { source, manifest }, reached, admin });
    });
  } catch (error) {
    throw explain(error);
  } finally {
    await reached.stop();
  }
}

interface Ready {
  checked: CheckedFile;
  reached: Reached;
  admin: Client;
}

async function replace(input: RestoreInput, ready: Ready): Promise<RestoreOutcome> {
  const { checked, reached } = ready;
  const { manifest } = checked;
  const isNew = await withClient(reached.url, async (client) => {
    await refuseRunning(client);
    await refuseOthersTables(client);
    await refuseFull(client, reached, manifest);
    return isEmpty(client);
  });
  const restorePoint = isNew ? null : await makeRestorePoint(input, reached.url);
  const live: Place = { ...input, url: reached.url };
  const { env } = input;
  const apply = isNew
    ? await input.afterCopy({ env, db: null }, manifest)
    : await withEngine(live, ({ db }) => input.afterCopy({ env, db }, manifest));
  const notes: string[] = [];
  const finish = async (restored: Place) => {
    await withEngine(restored, async (engine) => {
      const ctx = contextOf(engine, { kind: input.by });
      notes.push(...(await apply(ctx)));
      const file = path.basename(input.file, partEnding);
      await recordRestore(ctx, { file, madeAt: manifest.madeAt, notes });
    });
    await verifyRestored(restored);
  };
  if (reached.adminUrl !== null) await replaceBySwap(input, { ...ready, finish });
  else await replaceInPlace(input, { ...ready, finish, restorePoint });
  return { manifest, restorePoint, notes };
}

async function takeTurn(admin: Client, name: string): Promise<void> {
  const { rows } = await admin.query<{ isFree: boolean }>(
    `SELECT pg_try_advisory_lock(hashtextextended('gateway-restore ' || $1, 0)) AS "isFree"`,
    [name],
  );
  if (!rows[0]?.isFree) throw new BackupRefused("Another restore is running: wait for its end.");
}

/** Stays on this machine, and is not deleted by this restore. */
async function makeRestorePoint({ env, now }: RestoreInput, url: string): Promise<string> {
  const target = createFolderTarget(targetOf(env).folder);
  const { file } = await storeBackup({ env, url, madeAt: now, target });
  return path.join(target.folder, file);
}

const sentences: Record<string, string> = {
  "53100": "The disk of the database is full: free some space, and restore again.",
  "57P01": "The database was stopped: start it, and restore again.",
  "55P03": "A table is locked by another program: end it, and restore again.",
};

function explain(cause: unknown): unknown {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const sentence = sentences[code];
  return sentence === undefined ? cause : new BackupRefused(sentence, { cause });
}
