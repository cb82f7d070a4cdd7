import { BackupRefused } from "@/lib/engine/backup/refused";
import { spawnBackup } from "@/lib/engine/backup/spawn-backup";
import { targetOf } from "@/lib/engine/backup/target/open-target";
import { type KnownBackup, listBackups } from "@/lib/engine/backup/target/retention";
import type { Engine } from "@/lib/engine/engine";
import { notNow } from "@/lib/protocol/errors";
import { type BackupState, claimBackup, readBackupState } from "../../backup/backup-state";
import { recordFailure } from "../../backup/record-backup";
import type { Ctx } from "../../context";
import { administer, refuseOthers } from "../administer";

export interface BackupHealth extends BackupState {
  /** Where BACKUP_URL leads; null where it is not set. */
  url: string | null;
  isNightly: boolean;
}

/** Part of the gateway's health; its reader has been checked. */
export async function backupHealth(ctx: Ctx, { env }: Engine): Promise<BackupHealth> {
  const url = env.BACKUP_URL === undefined ? null : targetOf(env).description;
  return { ...(await readBackupState(ctx)), url, isNightly: env.BACKUP_AT !== "off" };
}

export interface Backups {
  state: BackupState;
  /** The folder or bucket, without secrets. */
  place: string;
  /** Newest first. */
  kept: KnownBackup[];
  /** Why they could not be listed. */
  trouble: string | null;
}

/** Lists the backups where the gateway keeps them, and what became of the last one. */
export async function findBackups(ctx: Ctx, { env }: Engine): Promise<Backups> {
  refuseOthers(ctx);
  const target = targetOf(env);
  const state = await readBackupState(ctx);
  try {
    return { state, place: target.description, kept: await listBackups(target), trouble: null };
  } catch (error) {
    return { state, place: target.description, kept: [], trouble: explain(error) };
  }
}

function explain(error: unknown): string {
  if (error instanceof BackupRefused) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!["EACCES", "EPERM", "ENOTDIR", "EIO"].includes(code)) throw error;
  return `The folder cannot be read (${code}): check BACKUP_URL, and whose folder it is.`;
}

const subjectLengthMax = 144;

/**
 * Starts a backup beside this process, to where BACKUP_URL says, and returns the event's id. How it ends is in the state,
 * and in the log of admins.
 */
export async function startBackup(ctx: Ctx, { env, log, now }: Engine): Promise<{ id: string }> {
  const { id, startedAt } = await administer(ctx, {}, async ({ tx, record }) => {
    const claimed = await claimBackup(tx);
    if (claimed === null) throw notNow("A backup is being made: wait until it has ended.");
    const subjectId = targetOf(env).description.slice(0, subjectLengthMax);
    return { id: await record({ verb: "startBackup", subjectId }), startedAt: claimed };
  });
  const { caller } = ctx;
  const by = caller.kind === "person" ? caller.userId : caller.kind;
  spawnBackup(by, env)
    .done.then(async ({ ended, sentence }) => {
      // One that fails before it begins cannot say so itself.
      if (ended !== "well") await recordFailure({ ...ctx, now: now() }, { startedAt, sentence });
    })
    .catch((error: unknown) => log.error("a backup's failure was not recorded", { error }));
  return { id };
}
