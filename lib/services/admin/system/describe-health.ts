import type { Engine } from "@/lib/engine/engine";
import manifest from "@/package.json";
import type { Ctx } from "../../context";
import { checkReadiness, type Readiness } from "../../health";
import { refuseOthers } from "../administer";
import { type BackupHealth, backupHealth } from "./backups";
import { type JobState, jobStates } from "./job-states";
import { type OutboxHealth, outboxHealth } from "./outbox";

export interface Health {
  readiness: Readiness;
  versions: { gateway: string; node: string; postgres: string };
  jobs: JobState[];
  outbox: OutboxHealth;
  backup: BackupHealth;
}

/** Returns whether the gateway and what it stands on work. */
export async function describeHealth(ctx: Ctx, engine: Engine): Promise<Health> {
  refuseOthers(ctx);
  const [readiness, version, jobs, outbox, backup] = await Promise.all([
    checkReadiness(engine),
    ctx.db.$queryRaw<{ version: string }[]>`SELECT current_setting('server_version') AS version`,
    jobStates(ctx),
    outboxHealth(ctx, engine),
    backupHealth(ctx, engine),
  ]);
  const postgres = version[0]?.version ?? "";
  return {
    readiness,
    versions: { gateway: manifest.version, node: process.versions.node, postgres },
    jobs,
    outbox,
    backup,
  };
}
