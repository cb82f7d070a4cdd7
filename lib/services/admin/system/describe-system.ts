import type { Engine } from "@/lib/engine/engine";
import type { Ctx } from "../../context";
import { describeHealth, type Health } from "./describe-health";
import { type ClassLimit, limitsInForce, type NearLimits, nearLimits } from "./near-limits";
import { type SlowStatements, slowStatements } from "./slow-statements";

export interface Table {
  name: string;
  bytes: number;
  /** An estimate; null where PostgreSQL has none. */
  rows: number | null;
}

export interface System extends Health {
  database: { bytes: number; tables: Table[] };
  slow: SlowStatements;
  limits: ClassLimit[];
  nearLimits: NearLimits;
}

const listedMax = 20;

/** Returns the gateway's state: engines, sizes, jobs, limits. Nothing of any profile. */
export async function describeSystem(ctx: Ctx, engine: Engine): Promise<System> {
  const { db } = ctx;
  const [health, sizes, tables, near, slow] = await Promise.all([
    describeHealth(ctx, engine),
    db.$queryRaw<{ bytes: bigint }[]>`SELECT pg_database_size(current_database()) AS bytes`,
    listTables(ctx),
    nearLimits(ctx, engine),
    slowStatements(ctx),
  ]);
  return {
    ...health,
    database: { bytes: Number(sizes[0]?.bytes ?? 0), tables },
    slow,
    limits: limitsInForce(engine.settings.values()),
    nearLimits: near,
  };
}

// Statistics are empty until a table is analysed, and again after a crash: no rows is only said of no bytes.
async function listTables({ db }: Ctx): Promise<Table[]> {
  const rows = await db.$queryRaw<
    { name: string; bytes: bigint; rows: bigint | null }[]
  >`SELECT relname AS name, pg_total_relation_size(oid) AS bytes,
       CASE WHEN pg_relation_size(oid) = 0 THEN 0
            ELSE nullif(greatest(reltuples::bigint, pg_stat_get_live_tuples(oid), 0), 0) END AS rows
     FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
     ORDER BY 2 DESC LIMIT ${listedMax}`;
  return rows.map((row) => ({
    name: row.name,
    bytes: Number(row.bytes),
    rows: row.rows === null ? null : Number(row.rows),
  }));
}
