import type { Db, Tx } from "@/lib/engine/db";
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

/**
 * Returns since when this instance is to make the backup of the day, by the database's clock only; null where it is not.
 * One that has not succeeded is made again an hour later. The first one of a new gateway is the next night's.
 */
export async function claimNight(db: Db, hour: number): Promise<Date | null> {
  const [claimed] = await db.$queryRaw<{ isNew: boolean; startedAt: Date }[]>`
    WITH night AS (
      SELECT (date_trunc('day', now() AT TIME ZONE 'UTC' - make_interval(hours => ${hour}::int))
        + make_interval(hours => ${hour}::int)) AT TIME ZONE 'UTC' AS "from"
    )
    INSERT INTO "Job" (name, "startedAt", "finishedAt") VALUES (${backupJob}, now(), now())
    ON CONFLICT (name) DO UPDATE SET "startedAt" = now()
      WHERE NOT (${running}) AND ("Job"."startedAt" < (SELECT "from" FROM night)
        OR "Job"."startedAt" < now() - interval '1 hour'
          AND ("Job"."finishedAt" IS NULL OR "Job"."finishedAt" < "Job"."startedAt" OR "Job".failure IS NOT NULL))
    RETURNING xmax = 0 AS "isNew", "startedAt"`;
  return claimed?.isNew === false ? claimed.startedAt : null;
}
