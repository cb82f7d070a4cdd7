import type { Pool } from "pg";
import { gathered } from "../gathered";
import { type AdmissionRequest, type Counters, type Nonce, windowSeconds } from "./counters";

interface Row {
  fresh: boolean;
  admitted: boolean;
  remaining: number;
  resetAt: Date;
}

// Exact over any trailing hour and across instances.
const admissions = gathered<AdmissionRequest, Row>({
  name: "admissions",
  text: "SELECT * FROM admit_all($1, $2, $3, $4, $5, $6, $7, make_interval(secs => $8))",
  values: (asked) => [
    asked.map(({ nonce }) => nonce?.did),
    asked.map(({ nonce }) => nonce?.value),
    asked.map(({ nonce }) => nonce?.until),
    asked.map(({ caller }) => caller),
    asked.map((one) => one.class),
    asked.map(({ limit }) => limit),
    asked.map(({ at }) => at),
    windowSeconds,
  ],
});

export function createPostgresCounters(pool: Pool): Counters {
  return {
    name: "PostgreSQL",
    healthy: () => true,
    async admit(asked) {
      const row = await admissions(pool, asked);
      if (row === undefined) throw new Error("admit_all() gave no row");
      const { fresh, admitted, remaining, resetAt } = row;
      return { fresh, admitted, standing: { limit: asked.limit, remaining, resetAt } };
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
