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

/** How the gateway is: engines, sizes, jobs, limits. Nothing of anybody's profile. */
export async function describeSystem(ctx: Ctx, engine: Engine): Promise<System> {
  refuseOthers(ctx);
  const { pool } = ctx;
  const [readiness, version, sizes, tables, jobs, near, slow] = await Promise.all([
    checkReadiness(engine),
    pool.query<{ version: string }>("SELECT current_setting('server_version') AS version"),
    pool.query<{ bytes: string }>("SELECT pg_database_size(current_database()) AS bytes"),
    pool.query<{ name: string; bytes: string; rows: string }>(
      // Partitions count for the table that they are parts of.
      `SELECT t.relname AS name, sum(pg_total_relation_size(c.oid)) AS bytes,
         sum(greatest(c.reltuples, 0))::bigint AS rows
       FROM pg_class c JOIN pg_class t ON t.oid = coalesce(pg_partition_root(c.oid), c.oid)
       WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
       GROUP BY t.relname ORDER BY 2 DESC LIMIT $1`,
      [listedMax],
    ),
    jobStates(ctx),
    nearLimits(ctx, engine),
    slowStatements(ctx),
  ]);
  return {
    readiness,
    versions: {
      gateway: manifest.version,
      node: process.versions.node,
      postgres: version.rows[0]?.version ?? "",
    },
    database: {
      bytes: Number(sizes.rows[0]?.bytes ?? 0),
      tables: tables.rows.map(({ name, bytes, rows }) => ({
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
