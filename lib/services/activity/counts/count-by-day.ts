import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Did } from "@/lib/protocol/did";
import type { NamedAgent } from "../../access/named-agent";
import type { Ctx } from "../../context";
import { withProfile } from "../../profile-gate";
import { verbsOf } from "../kinds";
import { type ActivityFilter, matching, refused } from "../matching";
import type { Day } from "./days";

export interface DayCount {
  /** "2026-03-01", of the days that were asked for. */
  day: string;
  /** Null for all but those that did most. */
  agent: NamedAgent | null;
  reads: number;
  proposals: number;
  /** Reads, proposals and access requests that were refused. */
  refused: number;
}

export interface CountsQuery extends ActivityFilter {
  did: string;
  days: readonly Day[];
  /** How many agents are shown apart. */
  agentsMax: number;
}

export const countedDaysMax = 92;

/** Counts what agents read, proposed and were refused by day, from one index. */
export async function countByDay(ctx: Ctx, { did, ...query }: CountsQuery): Promise<DayCount[]> {
  return withProfile(ctx, { verb: "readActivity", did }, async ({ profile }) => {
    const rows = await ctx.db.$queryRaw<Row[]>(countSql(profile.id, query));
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

/** The last days of a list as rows of `d(day, "from", "to")`. */
export function daysSql(days: readonly Day[]): Prisma.Sql {
  const counted = days.slice(-countedDaysMax);
  return Prisma.sql`unnest(${counted.map(({ day }) => day)}::text[], ${counted.map(({ from }) => from)}::timestamptz[], ${counted.map(({ to }) => to)}::timestamptz[]) AS d(day, "from", "to")`;
}

// A day at a time: nothing is sorted, and a log of any length is read once.
function countSql(profileId: number, { days, agentsMax, ...filter }: Omit<CountsQuery, "did">) {
  const [reads, proposals] = [verbsOf("reads").verbs, verbsOf("proposals").verbs];
  const within = Prisma.sql`${matching(profileId, filter)} AND e.at >= d."from" AND e.at < d."to"
        AND starts_with(e."actorId", 'did:prof:agent:')`;
  return Prisma.sql`
  WITH days AS (
    SELECT d.day, c.*
    FROM ${daysSql(days)} CROSS JOIN LATERAL (
      SELECT e."actorId", (count(*) FILTER (WHERE e.verb = ANY(${reads}::text[]) AND e.outcome = 'ok'))::int AS reads,
        (count(*) FILTER (WHERE e.verb = 'proposeMemory' AND e.outcome = 'ok'))::int AS proposals,
        (count(*) FILTER (WHERE e.outcome <> 'ok'))::int AS refused
      FROM "AccessEvent" e WHERE ${within} AND e.verb = ANY(${[...reads, ...proposals]}::text[])
      GROUP BY 1
      UNION ALL
      SELECT e."actorId", 0, 0, count(*)::int
      FROM "AccessEvent" e WHERE ${within} AND e.verb = 'requestAccess' AND ${refused}
      GROUP BY 1) c
  ), most AS (
    SELECT "actorId", sum(reads) AS reads, sum(proposals + refused) AS rest FROM days
    GROUP BY 1 ORDER BY 2 DESC, 3 DESC, 1 LIMIT ${agentsMax}
  )
  SELECT day, most."actorId" AS "agentDid", a.name, a.verified, sum(days.reads)::int AS reads,
    sum(proposals)::int AS proposals, sum(refused)::int AS refused
  FROM days LEFT JOIN most USING ("actorId") LEFT JOIN "Agent" a ON a.did = most."actorId"
  GROUP BY day, most."actorId", most.reads, most.rest, a.name, a.verified
  ORDER BY most.reads DESC NULLS LAST, most.rest DESC NULLS LAST, most."actorId", day`;
}
