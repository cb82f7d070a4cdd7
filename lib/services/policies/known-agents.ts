import { Prisma } from "@/lib/engine/prisma-client/client";
import type { NamedAgent } from "../access/named-agent";
import type { Ctx } from "../context";
import { withProfile } from "../profile-gate";

export const knownAgentsMax = 200;

/** Agents that this profile has to do with, for a choice among them; by name. */
export async function listKnownAgents(ctx: Ctx, did: string): Promise<NamedAgent[]> {
  return withProfile(ctx, { verb: "seeAsAgent", did }, async ({ profile }) => {
    const rows = await ctx.db.$queryRaw<NamedAgent[]>`WITH RECURSIVE ${knownAgents(profile.id)}
       SELECT did, name, verified FROM known ORDER BY lower(name), did`;
    return rows;
  });
}

/**
 * Returns active agents that have access, requested it, were here, or are named; those with something of their
 * own first. One index probe per agent.
 */
export const knownAgents = (profileId: number, named: readonly string[] = []) => Prisma.sql`
  actors AS (
    (SELECT "actorId", 1 AS place FROM "AccessEvent" WHERE "profileId" = ${profileId}
     ORDER BY "actorId" LIMIT 1)
    UNION ALL
    SELECT (SELECT e."actorId" FROM "AccessEvent" e
            WHERE e."profileId" = ${profileId} AND e."actorId" > actors."actorId"
            ORDER BY e."actorId" LIMIT 1), place + 1
    FROM actors WHERE "actorId" IS NOT NULL AND place < ${2 * knownAgentsMax}
  ), near AS (
    SELECT did, min(rank) AS rank FROM (
      SELECT unnest(${named}::text[]) AS did, 0 AS rank
      UNION ALL SELECT "agentPattern", 1 FROM "Policy" WHERE "profileId" = ${profileId}
      UNION ALL SELECT "agentDid", 1 FROM "ConnectionToken" WHERE "profileId" = ${profileId}
      UNION ALL SELECT "agentDid", 1 FROM "ConsentRequest"
        WHERE "profileId" = ${profileId} AND status = 'pending'
      UNION ALL SELECT "actorId", 2 FROM actors
    ) one GROUP BY did
  ), known AS (
    SELECT a.did, a.name, a.verified, a.ceiling, near.rank FROM near JOIN "Agent" a ON a.did = near.did
    WHERE a.state = 'active' ORDER BY near.rank, a.did LIMIT ${knownAgentsMax}
  )`;
