import { type SpawnedProgram, spawnBackup } from "@/lib/engine/backup/spawn-backup";
import type { Engine } from "@/lib/engine/engine";
import { backupJob } from "@/lib/services/backup/record-backup";

export interface Nightly {
  /** Ends a backup that is being made; the next one removes what it left. */
  stop(): Promise<void>;
}

const lookMs = 60_000;

/** Makes a backup every day at BACKUP_AT: one of all instances does. */
export function startNightly(engine: Engine, start = spawnBackup): Nightly {
  const { BACKUP_AT: hour } = engine.env;
  let running: SpawnedProgram | undefined;
  const look = async (at: number) => {
    if (running !== undefined || !(await claimNight(engine, at))) return;
    running = start("gateway", engine.env);
    const { succeeded, sentence } = await running.done;
    running = undefined;
    if (succeeded) engine.log.info("the nightly backup is made", { job: backupJob });
    else engine.log.error("the nightly backup failed", { job: backupJob, error: sentence });
  };
  const timer = setInterval(() => {
    if (hour === "off") return;
    look(hour).catch((error: unknown) => engine.log.error("no nightly backup", { error }));
  }, lookMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      running?.stop();
      await running?.done;
    },
  };
}

/**
 * Says whether this instance is to make the backup of the day, by the database's clock only. One that has not succeeded
 * is made again an hour later. The first one of a new gateway is the next night's.
 */
export async function claimNight({ pool }: Engine, hour: number): Promise<boolean> {
  const { rows } = await pool.query<{ isNew: boolean }>(
    `WITH night AS (
       SELECT (date_trunc('day', now() AT TIME ZONE 'UTC' - make_interval(hours => $2)) + make_interval(hours => $2))
         AT TIME ZONE 'UTC' AS "from"
     )
     INSERT INTO "Job" (name, "startedAt", "finishedAt") VALUES ($1, now(), now())
     ON CONFLICT (name) DO UPDATE SET "startedAt" = now()
       WHERE "Job"."startedAt" < (SELECT "from" FROM night)
         OR "Job"."startedAt" < now() - interval '1 hour'
           AND ("Job"."finishedAt" IS NULL OR "Job"."finishedAt" < "Job"."startedAt" OR "Job".failure IS NOT NULL)
     RETURNING xmax = 0 AS "isNew"`,
    [backupJob, hour],
  );
  return rows[0]?.isNew === false;
}
