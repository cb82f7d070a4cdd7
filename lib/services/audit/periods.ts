import type { Pool, PoolClient } from "pg";
import { unlessHeld } from "@/lib/engine/db";

// Access events are partitioned by time, in UTC. Migration 0018_event_periods. By months where they are kept
// for two years at most, by years otherwise: every query has to consider every partition.

const monthlyDaysMax = 731;

interface Period {
  from: Date;
  until: Date;
}

export interface PeriodsAsked {
  now: Date;
  /** How long events are kept. */
  days: number;
}

/** Makes the partitions of now and of what comes next, where they are missing. */
export async function makePeriods(pool: Pool, asked: PeriodsAsked): Promise<number> {
  let made = 0;
  for (const period of periodsOf(asked)) {
    if ((await missingOf(pool, period)) !== null && (await makePeriod(pool, period))) made++;
  }
  return made;
}

const noticeMs = 7 * 24 * 60 * 60_000;

/**
 * The same, as a job that fails where there is none for now or for what comes within a week: from then on
 * events would stand among the rest, and none can be made for the period that they are of.
 */
export async function keepPeriods(pool: Pool, asked: PeriodsAsked): Promise<number> {
  const made = await makePeriods(pool, asked);
  for (const at of [asked.now, new Date(asked.now.getTime() + noticeMs)]) {
    const { rowCount } = await pool.query(
      `SELECT FROM (${partitions}) p WHERE since <= $1 AND until > $1`,
      [at],
    );
    if (rowCount === 0) {
      throw new Error(`access events of ${at.toISOString().slice(0, 7)} have no partition`);
    }
  }
  return made;
}

/** This month and three more, or this year and the next. */
function periodsOf({ now, days }: PeriodsAsked): Period[] {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const isMonthly = days <= monthlyDaysMax;
  const start = (ahead: number) =>
    new Date(isMonthly ? Date.UTC(year, month + ahead) : Date.UTC(year + ahead, 0));
  const aheads = isMonthly ? [0, 1, 2, 3] : [0, 1];
  return aheads.map((ahead) => ({ from: start(ahead), until: start(ahead + 1) }));
}

/** Drops what holds only times before this and is empty by now. */
export async function dropEmptyPeriods(pool: Pool, before: Date): Promise<number> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT name FROM (${partitions}) p WHERE until <= least($1::timestamptz, now())`,
    [before],
  );
  let dropped = 0;
  for (const { name } of rows) {
    if (await dropPeriod(pool, name)) dropped++;
  }
  return dropped;
}

// The bounds stand in the catalogue as text only. That of the rest has none. By no relation, as naming one
// would wait for whoever has locked it.
const partitions = `
  SELECT c.relname AS name,
    coalesce(substring(b.bound FROM $re$FROM \\('([^']+)'\\)$re$)::timestamptz, '-infinity') AS since,
    substring(b.bound FROM $re$TO \\('([^']+)'\\)$re$)::timestamptz AS until
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, 0) AS bound) b
  WHERE i.inhparent = '"AccessEvent"'::regclass AND b.bound <> 'DEFAULT'`;

/** What of it no partition is for yet: after those that reach into it, as lengths may change. */
async function missingOf(client: Pool | PoolClient, period: Period): Promise<Period | null> {
  const { rows } = await client.query<Period>(
    `SELECT m.from, $2::timestamptz AS until FROM (
       SELECT coalesce(max(until), $1) AS from FROM (${partitions}) p WHERE since < $2 AND until > $1) m
     WHERE m.from < $2
       -- Where the gateway was away for long, what came first may stand among the rest. There it stays.
       AND NOT EXISTS (SELECT FROM "AccessEvent_else" WHERE at >= m.from AND at < $2)`,
    [period.from, period.until],
  );
  return rows[0] ?? null;
}

// With more than that among the rest, attaching would stop readers for too long.
const attachMsMax = 5_000;

// Attached, and not made as a part: who writes to the others, or reads of a time that tells which it needs, goes
// on meanwhile. Who reads all of them waits while PostgreSQL looks whether the rest has any of this period.
async function makePeriod(pool: Pool, period: Period): Promise<boolean> {
  return unlessHeld(
    pool,
    async (client) => {
      // One instance at a time.
      await client.query(`LOCK TABLE ONLY "AccessEvent" IN SHARE UPDATE EXCLUSIVE MODE`);
      const missing = await missingOf(client, period);
      if (missing === null) return false;
      const [from, until] = [missing.from.toISOString(), missing.until.toISOString()];
      const name = `"AccessEvent_${from.slice(0, 7).replace("-", "_")}"`;
      await client.query(`CREATE TABLE ${name} (LIKE "AccessEvent" INCLUDING ALL)`);
      await client.query(
        `CREATE TRIGGER "AccessEvent_no_truncate" BEFORE TRUNCATE ON ${name}
         FOR EACH STATEMENT EXECUTE FUNCTION "keepAccessEvent"()`,
      );
      await client.query(
        `ALTER TABLE "AccessEvent" ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${until}')`,
      );
      return true;
    },
    attachMsMax,
  );
}

async function dropPeriod(pool: Pool, name: string): Promise<boolean> {
  return unlessHeld(pool, async (client) => {
    // Whether there is any reason to stop everybody, and then whether there still is.
    if (!(await isEmpty(client, name))) return false;
    await client.query(`LOCK TABLE ONLY "AccessEvent"`);
    await client.query(`LOCK TABLE "${name}"`);
    if (!(await isEmpty(client, name))) return false;
    await client.query(`DROP TABLE "${name}"`);
    return true;
  });
}

async function isEmpty(client: PoolClient, name: string): Promise<boolean> {
  const { rows } = await client.query<{ empty: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM "${name}") AS empty`,
  );
  return rows[0]?.empty ?? false;
}
