import type { Engine } from "@/lib/engine/engine";
import type { Ctx } from "../context";
import { checkReadiness, type Readiness } from "../health";
import { refuseOthers } from "./administer";

export interface System {
  readiness: Readiness;
  versions: { node: string; postgres: string };
  database: { bytes: number; tables: { name: string; bytes: number; rows: number }[] };
  /** Null where pg_stat_statements is not there to tell. */
  slow: { statement: string; calls: number; meanMs: number }[] | null;
  jobs: { name: string; startedAt: Date; finishedAt: Date | null; failure: string | null }[];
  /** Who has used most of an hour's requests. */
  nearLimits: {
    caller: string;
    /** Of a user the address, of an agent the name. */
    name: string | null;
    class: string;
    used: number;
    limit: number | null;
  }[];
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
      `SELECT c.relname AS name, pg_total_relation_size(c.oid) AS bytes,
         greatest(c.reltuples, 0)::bigint AS rows
       FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
       ORDER BY 2 DESC LIMIT $1`,
      [listedMax],
    ),
    ctx.db.job.findMany({ orderBy: { name: "asc" } }),
    nearLimits(ctx, engine),
    slowStatements(ctx),
  ]);
  return {
    readiness,
    versions: { node: process.versions.node, postgres: version.rows[0]?.version ?? "" },
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
    nearLimits: near,
  };
}

// Of the last hour, as PostgreSQL counts it; what Upstash counts is not asked for here.
async function nearLimits({ pool, now }: Ctx, engine: Engine): Promise<System["nearLimits"]> {
  const { rows } = await pool.query<{
    caller: string;
    name: string | null;
    class: string;
    used: number;
    own: number | null;
  }>(
    `SELECT h.caller, coalesce(u.email, a.name) AS name, h.class, h.used, (a.limits->>h.class)::int AS own
     FROM (SELECT caller, class, count(*)::int AS used FROM "RateHit"
           WHERE "admittedAt" > $1::timestamptz - interval '1 hour'
           GROUP BY caller, class ORDER BY 3 DESC LIMIT $2) h
     LEFT JOIN "Agent" a ON a.did = h.caller LEFT JOIN "User" u ON 'user:' || u.id = h.caller
     ORDER BY h.used DESC, h.caller`,
    [now, listedMax],
  );
  const values = new Map<string, unknown>(Object.entries(engine.settings.values()));
  return rows.map(({ own, ...row }) => {
    const limit = own ?? values.get(`LIMIT_${row.class.toUpperCase()}`);
    return { ...row, limit: typeof limit === "number" ? limit : null };
  });
}

async function slowStatements({ pool }: Ctx): Promise<System["slow"]> {
  const { rows: known } = await pool.query<{ there: boolean }>(
    `SELECT to_regclass('pg_stat_statements') IS NOT NULL
       AND current_setting('shared_preload_libraries') LIKE '%pg_stat_statements%' AS there`,
  );
  if (!known[0]?.there) return null;
  const { rows } = await pool.query<{ statement: string; calls: string; meanMs: number }>(
    `SELECT left(query, 300) AS statement, calls, mean_exec_time AS "meanMs"
     FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
     ORDER BY mean_exec_time DESC LIMIT $1`,
    [listedMax],
  );
  return rows.map(({ statement, calls, meanMs }) => ({ statement, calls: Number(calls), meanMs }));
}
