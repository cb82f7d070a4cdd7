import type { Engine } from "@/lib/engine/engine";
import manifest from "@/package.json";
import type { Ctx } from "../../context";
import { checkReadiness, type Readiness } from "../../health";
import { refuseOthers } from "../administer";
import { type JobState, jobStates } from "./job-states";
import { type ClassLimit, limitsInForce, type NearLimits, nearLimits } from "./near-limits";
import { type SlowStatements, slowStatements } from "./slow-statements";

export interface System {
  readiness: Readiness;
  versions: { gateway: string; node: string; postgres: string };
  database: { bytes: number; tables: { name: string; bytes: number; rows: number }[] };
  slow: SlowStatements;
  jobs: JobState[];
  limits: ClassLimit[];
  nearLimits: NearLimits;
}

const listedMax = 20;

/** Returns the gateway's state: engines, sizes, jobs, limits. Nothing of any profile. */
export async function describeSystem(ctx: Ctx, engine: Engine): Promise<System> {
  refuseOthers(ctx);
  const { db } = ctx;
  const [readiness, version, sizes, tables, jobs, near, slow] = await Promise.all([
    checkReadiness(engine),
    db.$queryRaw<{ version: string }[]>`SELECT current_setting('server_version') AS version`,
    db.$queryRaw<{ bytes: bigint }[]>`SELECT pg_database_size(current_database()) AS bytes`,
    db.$queryRaw<{ name: string; bytes: bigint; rows: bigint }[]>`
      SELECT relname AS name, pg_total_relation_size(oid) AS bytes, greatest(reltuples, 0)::bigint AS rows
      FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
      ORDER BY 2 DESC LIMIT ${listedMax}`,
    jobStates(ctx),
    nearLimits(ctx, engine),
    slowStatements(ctx),
  ]);
  return {
    readiness,
    versions: {
      gateway: manifest.version,
      node: process.versions.node,
      postgres: version[0]?.version ?? "",
    },
    database: {
      bytes: Number(sizes[0]?.bytes ?? 0),
      tables: tables.map(({ name, bytes, rows }) => ({
        name,
        bytes: Number(bytes),
        rows: Number(rows),
      })),
    },
    slow,
    jobs,
    limits: limitsInForce(engine.settings.values()),
    nearLimits: near,
  };
}
