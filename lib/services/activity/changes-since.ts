import { Prisma } from "@/lib/engine/prisma-client/client";
import type { NamedAgent } from "../access/named-agent";
import type { Ctx } from "../context";
import type { ProfileRow } from "../facts";
import { withProfile } from "../profile-gate";
import { verbsOf } from "./kinds";

/** What one agent did within a period. */
export interface AgentChanges {
  agent: NamedAgent;
  /** Its first event ever is one of these. */
  isNew: boolean;
  reads: number;
  proposals: number;
  refused: number;
}

const agentsMax = 20;
// Nobody reads changes further back.
const lookBackMs = 92 * 24 * 60 * 60_000;

/** Returns what agents did since an instant, the most active first. */
export async function changesSince(
  ctx: Ctx,
  { did, since }: { did: string; since: Date },
): Promise<AgentChanges[]> {
  return withProfile(ctx, { verb: "readActivity", did }, async ({ profile }) => {
    const earliest = new Date(ctx.now.getTime() - lookBackMs);
    return ctx.db.$queryRaw<AgentChanges[]>(
      changesSql(profile, since < earliest ? earliest : since),
    );
  });
}

const changesSql = ({ id, did }: Pick<ProfileRow, "id" | "did">, since: Date) => Prisma.sql`
  WITH c AS (
    SELECT e."actorId",
      (count(*) FILTER (WHERE e.verb = ANY(${verbsOf("reads").verbs}::text[]) AND e.outcome = 'ok'))::int AS reads,
      (count(*) FILTER (WHERE e.verb = ANY(${verbsOf("proposals").verbs}::text[]) AND e.outcome = 'ok'))::int AS proposals,
      (count(*) FILTER (WHERE e.outcome <> 'ok'))::int AS refused
    FROM "AccessEvent" e
    WHERE e."profileId" = ${id} AND e.at >= ${since} AND e."actorId" <> ALL(${[did, "gateway", "nobody"]}::text[])
    GROUP BY 1
  )
  SELECT jsonb_build_object('did', a.did, 'name', a.name, 'verified', a.verified) AS agent,
    c.reads, c.proposals, c.refused,
    NOT EXISTS (SELECT FROM "AccessEvent" o
      WHERE o."profileId" = ${id} AND o."actorId" = c."actorId" AND o.at < ${since}) AS "isNew"
  FROM c JOIN "Agent" a ON a.did = c."actorId"
  ORDER BY c.reads + c.proposals + c.refused DESC, a.did LIMIT ${agentsMax}`;
