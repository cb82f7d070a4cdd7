import type { Pool } from "pg";
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

const name = "PostgreSQL";

// Exact over any trailing hour and across instances: the function `admit` of the first migration.
export function createPostgresCounters(pool: Pool): Counters {
  return {
    name,
    healthy: () => true,
    async admit({ caller, class: limitClass, limit, nonce, at }: AdmissionRequest) {
      const { rows } = await pool.query<Row>({
        name: "admit",
        text: "SELECT * FROM admit($1, $2, $3, $4, $5, $6, make_interval(secs => $7), $8)",
        values: [
          nonce?.did,
          nonce?.value,
          nonce?.until,
          caller,
          limitClass,
          limit,
          windowSeconds,
          at,
        ],
      });
      const [row] = rows;
      if (row === undefined) throw new Error("admit() gave no row");
      const { fresh, admitted, remaining, resetAt } = row;
      return { fresh, admitted, standing: { limit, remaining, resetAt } };
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

/** True for the one who claims it first, and for nobody else after that. */
export async function claimNonce(pool: Pool, { did, value, until }: Nonce): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "claim-nonce",
    text: `INSERT INTO "Nonce" (did, nonce, "expiresAt") VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
    values: [did, value, until],
  });
  return rowCount === 1;
}
