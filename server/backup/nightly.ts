import { type SpawnedProgram, spawnBackup } from "@/lib/engine/backup/spawn-backup";
import type { Engine } from "@/lib/engine/engine";
import { claimNight } from "@/lib/services/backup/backup-state";
import { backupJob, recordFailure } from "@/lib/services/backup/record-backup";
import { contextOf } from "@/lib/services/context";

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
    const startedAt = running === undefined ? await claimNight(engine.db, at) : null;
    if (startedAt === null) return;
    running = start("gateway", engine.env);
    const { ended, sentence } = await running.done;
    running = undefined;
    if (ended === "well") engine.log.info("the nightly backup is made", { job: backupJob });
    else engine.log.error("the nightly backup failed", { job: backupJob });
    // One that fails before it begins cannot say so itself.
    const ctx = contextOf(engine, { kind: "gateway" });
    if (ended === "badly") await recordFailure(ctx, { startedAt, sentence });
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
