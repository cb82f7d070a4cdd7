import type { Pool } from "pg";
import { Prisma } from "../prisma-client/client";
import { batched, lockTimeoutOf } from "../query-batcher";
import {
  type Admission,
  type AdmissionRequest,
  type Counters,
  type Nonce,
  type Usage,
  windowSeconds,
} from "./counters";

interface Row {
  known: boolean;
  fresh: boolean;
  admitted: boolean;
  remaining: number;
  resetAt: Date;
  signerRevision: string | null;
  profileRevision: string | null;
  recorded: boolean;
}

// Exact over any trailing hour and across instances.
const admissions = batched<Omit<AdmissionRequest, "limit"> & { limit: number | null }, Row>({
  name: "admissions",
  keyOf: ({ caller }) => caller,
  sql: (input) => Prisma.sql`SELECT * FROM admit(
    ${input.map(({ nonce }) => nonce?.did)}, ${input.map(({ nonce }) => nonce?.value)},
    ${input.map(({ nonce }) => nonce?.until)}, ${input.map(({ caller }) => caller)},
    ${input.map((one) => one.class)}, ${input.map(({ limit }) => limit)}, ${input.map(({ at }) => at)},
    make_interval(secs => ${windowSeconds}), ${lockTimeoutOf(input)},
    ${input.map(({ signer }) => signer?.did)}, ${input.map(({ signer }) => signer?.revision)},
    ${input.map(({ profileDid }) => profileDid)}, ${eventsOf(input)}::json)`,
});

function eventsOf(input: Pick<AdmissionRequest, "precomputed">[]): string {
  const events = input.flatMap(({ precomputed }, index) =>
    precomputed ? [{ place: index + 1, event: precomputed.event, ...precomputed.revisions }] : [],
  );
  return JSON.stringify(events);
}

// The window is full while the hit that makes room for the next one is still in it. Nothing is written.
const refusals = batched<AdmissionRequest, { known: boolean; used: boolean; resetAt: Date }>({
  name: "refusals",
  sql: (input) => Prisma.sql`
    SELECT asked.place, h."resetAt",
      asked.revision IS NULL OR asked.revision IS NOT DISTINCT FROM coalesce(
        (SELECT revision FROM "Agent" WHERE did = asked.signer), (SELECT revision FROM "Profile" WHERE did = asked.signer)) AS known,
      EXISTS (SELECT FROM "Nonce" n WHERE n.did = asked.did AND n.nonce = asked.nonce OFFSET 0) AS used
    FROM unnest((SELECT ${input.map(({ nonce }) => nonce?.did)}::text[]), (SELECT ${input.map(({ nonce }) => nonce?.value)}::text[]), (SELECT ${input.map(({ caller }) => caller)}::text[]), (SELECT ${input.map((one) => one.class)}::text[]),
        (SELECT ${input.map(({ limit }) => limit)}::int[]), (SELECT ${input.map(({ at }) => at)}::timestamptz[]),
        (SELECT ${input.map(({ signer }) => signer?.did)}::text[]), (SELECT ${input.map(({ signer }) => signer?.revision)}::bigint[])) WITH ORDINALITY
      AS asked (did, nonce, caller, class, quota, at, signer, revision, place)
    CROSS JOIN LATERAL (
      SELECT at, hits FROM "RateWindow" WHERE caller = asked.caller AND class = asked.class LIMIT 1) w
    CROSS JOIN LATERAL (
      SELECT max(s.at) + make_interval(secs => ${windowSeconds}) AS "resetAt"
      FROM (SELECT h.at, sum(h.hits) OVER (ORDER BY h.at DESC) AS since FROM unnest(w.at, w.hits) AS h (at, hits)) s
      WHERE s.since >= asked.quota) h
    WHERE h."resetAt" > coalesce(asked.at, clock_timestamp())`,
});

const name = "PostgreSQL";
const none = { signer: null, profile: null };
const refusedMax = 10_000;

export function createPostgresCounters(pool: Pool): Counters {
  // Callers whose last request exceeded their limit. Their next one is checked before anything is written.
  const refused = new Set<string>();

  async function refuse(input: AdmissionRequest): Promise<Admission | undefined> {
    const row = await refusals(pool, input);
    if (row === undefined) return undefined;
    const standing = { limit: input.limit, remaining: 0, resetAt: row.resetAt };
    const { known, used } = row;
    return { known, fresh: !used, admitted: false, standing, revisions: none, recorded: false };
  }

  return {
    name,
    healthy: () => true,
    recordsEvents: true,
    async admit(input) {
      const key = `${input.class} ${input.caller}`;
      const refusal = refused.has(key) ? await refuse(input) : undefined;
      if (refusal !== undefined) return refusal;
      const row = await admissions(pool, input);
      if (row === undefined) throw new Error("admit() gave no row");
      const { known, fresh, admitted, remaining, resetAt, recorded } = row;
      const revisions = { signer: row.signerRevision, profile: row.profileRevision };
      if (admitted) refused.delete(key);
      else if (fresh) {
        if (refused.size >= refusedMax) refused.clear();
        refused.add(key);
      }
      return {
        known,
        fresh,
        admitted,
        standing: { limit: input.limit, remaining, resetAt },
        revisions,
        recorded,
      };
    },
    async usage({ most, at }) {
      const { rows } = await pool.query<Usage["callers"][number]>(
        `SELECT w.caller, w.class, sum(h.hits)::int AS used
         FROM "RateWindow" w, unnest(w.at, w.hits) AS h (at, hits)
         WHERE w."expiresAt" > $1 AND h.at > $1::timestamptz - make_interval(secs => $2)
         GROUP BY w.caller, w.class ORDER BY 3 DESC, 1, 2 LIMIT $3`,
        [at, windowSeconds, most + 1],
      );
      return { callers: rows.slice(0, most), countedBy: name, isWhole: rows.length <= most };
    },
  };
}

export type Claimed = Omit<Admission, "admitted" | "standing">;

/** Claims the nonce and returns the current revisions, which only PostgreSQL knows. Counts nothing. */
export async function claim(
  pool: Pool,
  input: Omit<AdmissionRequest, "limit" | "precomputed">,
): Promise<Claimed> {
  const row = await admissions(pool, { ...input, limit: null });
  if (row === undefined) throw new Error("admit() gave no row");
  const { known, fresh, signerRevision: signer, profileRevision: profile } = row;
  return { known, fresh, revisions: { signer, profile }, recorded: false };
}

/** Returns true for the first caller with this nonce, false for all others. */
export async function claimNonce(pool: Pool, nonce: Nonce): Promise<boolean> {
  return (await claim(pool, { caller: nonce.did, class: "register", nonce })).fresh;
}
