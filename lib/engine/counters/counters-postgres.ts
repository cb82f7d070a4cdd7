import type { Pool } from "pg";
import { gathered, patience } from "../gathered";
import {
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

const name = "PostgreSQL";

export function createPostgresCounters(pool: Pool): Counters {
  return {
    name,
    healthy: () => true,
    async admit(asked) {
      const row = await admissions(pool, asked);
      if (row === undefined) throw new Error("admit_all() gave no row");
      const { fresh, admitted, remaining, resetAt } = row;
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
