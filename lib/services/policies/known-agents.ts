import type { NamedAgent } from "../access/named-agent";
import type { Ctx } from "../context";
import { onProfile } from "../open-profile";

export const knownAgentsMax = 200;

/** Agents that this profile has to do with, for a choice among them; by name. */
export async function listKnownAgents(ctx: Ctx, did: string): Promise<NamedAgent[]> {
  return onProfile(ctx, { verb: "seeAsAgent", did }, async ({ profile }) => {
    const { rows } = await ctx.pool.query<NamedAgent>(
      `WITH RECURSIVE ${knownAgents}
       SELECT did, name, verified FROM known ORDER BY lower(name), did`,
      [profile.id, knownAgentsMax, []],
    );
    return rows;
  });
}

/**
 * Who holds or asked for something, who was ever here, and who is named in `$3`: active agents, those
 * with something of their own first. Actors are found one index probe each, however many events.
 */
export const knownAgents = `
  actors AS (
    (SELECT "actorId", 1 AS place FROM "AccessEvent" WHERE "profileId" = $1
     ORDER BY "actorId" LIMIT 1)
    UNION ALL
    SELECT (SELECT e."actorId" FROM "AccessEvent" e
            WHERE e."profileId" = $1 AND e."actorId" > actors."actorId"
            ORDER BY e."actorId" LIMIT 1), place + 1
    FROM actors WHERE "actorId" IS NOT NULL AND place < 2 * $2
  ), near AS (
    SELECT did, min(rank) AS rank FROM (
      SELECT unnest($3::text[]) AS did, 0 AS rank
      UNION ALL SELECT "agentPattern", 1 FROM "Policy" WHERE "profileId" = $1
      UNION ALL SELECT "agentDid", 1 FROM "ConnectionToken" WHERE "profileId" = $1
      UNION ALL SELECT "agentDid", 1 FROM "ConsentRequest"
        WHERE "profileId" = $1 AND status = 'pending'
      UNION ALL SELECT "actorId", 2 FROM actors
    ) one GROUP BY did
  ), known AS (
    SELECT a.did, a.name, a.verified, a.ceiling, near.rank FROM near JOIN "Agent" a ON a.did = near.did
    WHERE a.state = 'active' ORDER BY near.rank, a.did LIMIT $2
  )`;
