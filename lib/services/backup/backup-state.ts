import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { BackupOutcome, backupJob } from "./record-backup";

export interface BackupState {
  /** Null where none was ever begun. */
  startedAt: Date | null;
  isRunning: boolean;
  /** Why the last one failed; null where it succeeded or is running. */
  failure: string | null;
  /** The last one that succeeded. */
  last: BackupOutcome | null;
}

// A program that makes a backup is connected until it ends; one that was just started may not be yet.
const running = Prisma.sql`("Job"."finishedAt" IS NULL OR "Job"."finishedAt" < "Job"."startedAt")
  AND ("Job"."startedAt" > clock_timestamp() - interval '1 minute' OR EXISTS (SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'gateway-backup'))`;

export async function readBackupState({ db }: { db: Tx }): Promise<BackupState> {
  const [row] = await db.$queryRaw<(Omit<BackupState, "last"> & { progress: unknown })[]>`
    SELECT "startedAt", progress, ${running} AS "isRunning", failure FROM "Job" WHERE name = ${backupJob}`;
  if (row === undefined) return { startedAt: null, isRunning: false, failure: null, last: null };
  const { startedAt, isRunning, failure, progress } = row;
  const last = BackupOutcome.safeParse(progress).data ?? null;
  return { startedAt, isRunning, failure: isRunning ? null : failure, last };
}

/** Says that a backup begins, and returns when; null where one is running. */
export async function claimBackup(tx: Tx): Promise<Date | null> {
  const [claimed] = await tx.$queryRaw<{ startedAt: Date }[]>`INSERT INTO "Job" (name, "startedAt")
    VALUES (${backupJob}, clock_timestamp())
    ON CONFLICT (name) DO UPDATE SET "startedAt" = clock_timestamp() WHERE NOT (${running})
    RETURNING "startedAt"`;
  return claimed?.startedAt ?? null;
}
