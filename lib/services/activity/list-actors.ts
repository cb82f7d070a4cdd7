import { Prisma } from "@/lib/engine/prisma-client/client";
import { type NamedAgent, namedAgent } from "../access/named-agent";
import type { Ctx } from "../context";
import { withProfile } from "../profile-gate";

const actorsMax = 200;

/** Lists the agents that ever acted here, for the filter. */
export async function listActors(ctx: Ctx, did: string): Promise<NamedAgent[]> {
  return withProfile(ctx, { verb: "readActivity", did }, async ({ profile }) => {
    const actor = actorOf(profile.id);
    const rows = await ctx.db.$queryRaw<{ agent: NamedAgent }[]>`WITH RECURSIVE g AS (
         (SELECT ${actor} ORDER BY e."actorId" LIMIT 1)
         UNION ALL
         SELECT (SELECT ${actor} AND e."actorId" > g."agentDid" ORDER BY e."actorId" LIMIT 1)
         FROM g WHERE g."agentDid" IS NOT NULL)
       SELECT ${namedAgent("g")} AS agent FROM g LEFT JOIN "Agent" a ON a.did = g."agentDid"
       WHERE starts_with(g."agentDid", 'did:prof:agent:')
       ORDER BY lower(coalesce(a.name, g."agentDid")), g."agentDid" LIMIT ${actorsMax}`;
    return rows.map(({ agent }) => agent);
  });
}

// One index step per actor, however many events each has.
const actorOf = (profileId: number) =>
  Prisma.sql`e."actorId" AS "agentDid" FROM "AccessEvent" e WHERE e."profileId" = ${profileId}`;
