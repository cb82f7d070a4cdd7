import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Did } from "@/lib/protocol/did";
import type { NamedAgent } from "../access/named-agent";
import type { Ctx } from "../context";
import type { ProfileRow } from "../facts";
import { withProfile } from "../profile-gate";
import { verbsOf } from "./kinds";
import { type ActivityFilter, matching } from "./matching";

export interface DayCount {
  /** "2026-03-01", in UTC. */
  day: string;
  /** Null for all but those that did most. */
  agent: NamedAgent | null;
  reads: number;
  proposals: number;
}

export interface CountsQuery extends ActivityFilter {
  did: string;
  from: Date;
  to: Date;
  /** How many agents are shown apart. */
  agentsMax: number;
}

const dayMs = 24 * 60 * 60_000;
export const countedDaysMax = 92;

/** Counts reads and proposals of agents by day, from one index. */
export async function countByDay(ctx: Ctx, { did, ...input }: CountsQuery): Promise<DayCount[]> {
  return withProfile(ctx, { verb: "readActivity", did }, async ({ profile }) => {
    const oldest = new Date(input.to.getTime() - countedDaysMax * dayMs);
    const from = input.from < oldest ? oldest : input.from;
    // Refused ones are not reads; a query for refused ones counts them alone.
    const { outcome = "ok" } = input;
    const rows = await ctx.db.$queryRaw<Row[]>(countSql(profile, { ...input, from, outcome }));
    return rows.map(({ agentDid, name, verified, ...count }) => ({
      ...count,
      agent: agentDid === null ? null : { did: agentDid, name, verified: verified ?? false },
    }));
  });
}

interface Row extends Omit<DayCount, "agent"> {
  agentDid: Did | null;
  name: string | null;
  verified: boolean | null;
}

// A day at a time: nothing is sorted, and a log of any length is read once.
function countSql({ id, did }: Pick<ProfileRow, "id" | "did">, query: Omit<CountsQuery, "did">) {
  const [reads, proposals] = [verbsOf("reads").verbs, verbsOf("proposals").verbs];
  return Prisma.sql`
  WITH days AS (
    SELECT to_char(d.day, 'YYYY-MM-DD') AS day, c.*
    FROM generate_series(date_trunc('day', ${query.from}::timestamptz), ${query.to}::timestamptz, '1 day') AS d(day)
    CROSS JOIN LATERAL (
      SELECT e."actorId", (count(*) FILTER (WHERE e.verb = ANY(${reads}::text[])))::int AS reads,
        (count(*) FILTER (WHERE e.verb = ANY(${proposals}::text[])))::int AS proposals
      FROM "AccessEvent" e
      WHERE ${matching(id, query)} AND e.at >= d.day AND e.at < d.day + interval '1 day'
        AND e.verb = ANY(${[...reads, ...proposals]}::text[]) AND e."actorId" <> ALL(${[did, "gateway", "nobody"]}::text[])
      GROUP BY 1) c
  ), most AS (
    SELECT "actorId", sum(reads + proposals) AS total FROM days
    GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${query.agentsMax}
  )
  SELECT day, most."actorId" AS "agentDid", a.name, a.verified,
    sum(reads)::int AS reads, sum(proposals)::int AS proposals
  FROM days LEFT JOIN most USING ("actorId") LEFT JOIN "Agent" a ON a.did = most."actorId"
  GROUP BY day, most."actorId", most.total, a.name, a.verified
  ORDER BY most.total DESC NULLS LAST, most."actorId", day`;
}
