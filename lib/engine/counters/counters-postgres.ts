import type { Pool } from "pg";
import { gathered, patience } from "../gathered";
import {
  type Admission,
  type AdmissionRequest,
  type Counters,
  type Nonce,
  type Usage,
  windowSeconds,
} from "./counters";

interface Row {
  fresh: boolean;
  admitted: boolean;
  remaining: number;
  resetAt: Date;
}

// Exact over any trailing hour and across instances.
const admissions = gathered<AdmissionRequest, Row>({
  name: "admissions",
  keyOf: ({ caller }) => caller,
  text: "SELECT * FROM admit_all($1, $2, $3, $4, $5, $6, $7, make_interval(secs => $8), $9)",
  values: (asked) => [
    asked.map(({ nonce }) => nonce?.did),
    asked.map(({ nonce }) => nonce?.value),
    asked.map(({ nonce }) => nonce?.until),
    asked.map(({ caller }) => caller),
    asked.map((one) => one.class),
    asked.map(({ limit }) => limit),
    asked.map(({ at }) => at),
    windowSeconds,
    patience(asked),
  ],
});

// The window is full while the hit that must leave it first is still in it. Nothing is written.
const refusals = gathered<AdmissionRequest, { used: boolean; resetAt: Date }>({
  name: "refusals",
  text: `
    SELECT asked.place, h."admittedAt" + make_interval(secs => $7) AS "resetAt",
      EXISTS (SELECT FROM "Nonce" n WHERE n.did = asked.did AND n.nonce = asked.nonce OFFSET 0) AS used
    FROM unnest((SELECT $1::text[]), (SELECT $2::text[]), (SELECT $3::text[]), (SELECT $4::text[]),
        (SELECT $5::int[]), (SELECT $6::timestamptz[])) WITH ORDINALITY
      AS asked (did, nonce, caller, class, quota, at, place)
    CROSS JOIN LATERAL (
      SELECT next FROM "RateWindow" WHERE caller = asked.caller AND class = asked.class LIMIT 1) w
    CROSS JOIN LATERAL (
      SELECT "admittedAt" FROM "RateHit" WHERE caller = asked.caller AND class = asked.class
        AND number = w.next - asked.quota LIMIT 1) h
    WHERE h."admittedAt" + make_interval(secs => $7) > coalesce(asked.at, clock_timestamp())`,
  values: (asked) => [
    asked.map(({ nonce }) => nonce?.did),
    asked.map(({ nonce }) => nonce?.value),
    asked.map(({ caller }) => caller),
    asked.map((one) => one.class),
    asked.map(({ limit }) => limit),
    asked.map(({ at }) => at),
    windowSeconds,
  ],
});

const name = "PostgreSQL";
const refusedMax = 10_000;

export function createPostgresCounters(pool: Pool): Counters {
  // Callers whose last request their limit refused. The next one is looked up before anything is written.
  const refused = new Set<string>();

  async function refuse(asked: AdmissionRequest): Promise<Admission | undefined> {
    const row = await refusals(pool, asked);
    if (row === undefined) return undefined;
    const standing = { limit: asked.limit, remaining: 0, resetAt: row.resetAt };
    return { fresh: !row.used, admitted: false, standing };
  }

  return {
    name,
    healthy: () => true,
    async admit(asked) {
      const key = `${asked.class} ${asked.caller}`;
      const refusal = refused.has(key) ? await refuse(asked) : undefined;
      if (refusal !== undefined) return refusal;
      const row = await admissions(pool, asked);
      if (row === undefined) throw new Error("admit_all() gave no row");
      const { fresh, admitted, remaining, resetAt } = row;
      if (admitted) refused.delete(key);
      else if (fresh) {
        if (refused.size >= refusedMax) refused.clear();
        refused.add(key);
      }
      return { fresh, admitted, standing: { limit: asked.limit, remaining, resetAt } };
    },
    async usage({ most, at }) {
      const { rows } = await pool.query<Usage["callers"][number]>(
        `SELECT caller, class, count(*)::int AS used FROM "RateHit"
         WHERE "admittedAt" > $1::timestamptz - make_interval(secs => $2)
         GROUP BY caller, class ORDER BY 3 DESC, 1, 2 LIMIT $3`,
        [at, windowSeconds, most + 1],
      );
      return { callers: rows.slice(0, most), countedBy: name, isWhole: rows.length <= most };
    },
  };
}

// With a row for each that nobody used before: where one is missing, whoever shows it is refused.
const claims = gathered<Nonce, object>({
  name: "claims",
  text: `
    WITH claimed AS MATERIALIZED (SELECT claim_nonces($1, $2, $3) AS used)
    SELECT s.place FROM claimed, unnest((SELECT $1::text[])) WITH ORDINALITY AS s (did, place)
    WHERE s.place <> ALL (claimed.used)`,
  values: (nonces) => [
    nonces.map(({ did }) => did),
    nonces.map(({ value }) => value),
    nonces.map(({ until }) => until),
  ],
});

/** True for the one who claims it first, and for nobody else after that. */
export async function claimNonce(pool: Pool, nonce: Nonce): Promise<boolean> {
  return (await claims(pool, nonce)) !== undefined;
}
