import { Prisma } from "@/lib/engine/prisma-client/client";
import { type NamedAgent, namedAgent } from "../access/named-agent";
import type { Ctx } from "../context";
import { withProfile } from "../profile-gate";

/** Whom a token can be issued to: active agents, first those that have dealt with this profile. Clients connect. */
export async function listTokenAgents(
  ctx: Ctx,
  { did, limit }: { did: string; limit: number },
): Promise<NamedAgent[]> {
  return withProfile(ctx, { verb: "editTokens", did }, async ({ profile }) => {
    const rows = await ctx.db.$queryRaw<{ agent: NamedAgent }[]>(agentsSql(profile.id, limit));
    return rows.map(({ agent }) => agent);
  });
}

const agentsSql = (profileId: number, limit: number) => Prisma.sql`
  WITH met AS (
    SELECT "agentDid" FROM "Proposal" WHERE "profileId" = ${profileId}
    UNION SELECT "agentDid" FROM "Receipt" WHERE "profileId" = ${profileId}
    UNION SELECT "agentDid" FROM "ConnectionToken" WHERE "profileId" = ${profileId}
  ), k AS (SELECT did AS "agentDid" FROM "Agent" WHERE state = 'active' AND origin <> 'client')
  SELECT ${namedAgent("k")} AS agent
  FROM k JOIN "Agent" a ON a.did = k."agentDid" LEFT JOIN met ON met."agentDid" = k."agentDid"
  ORDER BY met."agentDid" IS NULL, lower(a.name), a.did LIMIT ${limit}`;
