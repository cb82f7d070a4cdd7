import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Did } from "@/lib/protocol/did";
import type { Category } from "@/lib/protocol/scope";
import { type NamedAgent, namedAgent } from "../access/named-agent";
import { loadOwnCategories } from "../categories";
import type { Ctx } from "../context";
import { withProfile } from "../profile-gate";

export interface ChosenAgent extends NamedAgent {
  operator: string | null;
}

export interface AgentsQuery {
  did: string;
  /** Part of a name, an operator or a DID. */
  text?: string;
  limit: number;
}

/** Whom a token can be issued to: active agents, first those that have dealt with this profile. */
export async function listTokenAgents(
  ctx: Ctx,
  { did, text = "", limit }: AgentsQuery,
): Promise<{ agents: ChosenAgent[]; hasMore: boolean }> {
  return withProfile(ctx, { verb: "editTokens", did }, async ({ profile }) => {
    const rows = await ctx.db.$queryRaw<{ agent: ChosenAgent }[]>(
      agentsSql(profile.id, text.toLowerCase(), limit + 1),
    );
    const agents = rows.slice(0, limit).map(({ agent }) => agent);
    return { agents, hasMore: rows.length > limit };
  });
}

/** Null if the agent is not active here. */
export async function findTokenAgent(
  ctx: Ctx,
  { did, agentDid }: { did: string; agentDid: Did },
): Promise<ChosenAgent | null> {
  return withProfile(ctx, { verb: "editTokens", did }, async () => {
    const rows = await ctx.db.$queryRaw<
      { agent: ChosenAgent }[]
    >`SELECT ${chosenAgent} AS agent FROM (SELECT ${agentDid}::text AS "agentDid") k
       JOIN "Agent" a ON a.did = k."agentDid" WHERE a.state = 'active'`;
    return rows[0]?.agent ?? null;
  });
}

/** Every category that something of this profile lies in. */
export async function listOwnCategories(ctx: Ctx, did: string): Promise<Category[]> {
  return withProfile(ctx, { verb: "editTokens", did }, async ({ profile }) => {
    return (await loadOwnCategories(ctx.db, profile)).sort();
  });
}

const chosenAgent = Prisma.sql`${namedAgent("k")} || jsonb_build_object('operator', a.operator)`;

const agentsSql = (profileId: number, text: string, limit: number) => Prisma.sql`
  WITH met AS (
    SELECT "agentDid" FROM "Proposal" WHERE "profileId" = ${profileId}
    UNION SELECT "agentDid" FROM "Receipt" WHERE "profileId" = ${profileId}
    UNION SELECT "agentDid" FROM "ConnectionToken" WHERE "profileId" = ${profileId}
  ), k AS (SELECT did AS "agentDid" FROM "Agent" WHERE state = 'active')
  SELECT ${chosenAgent} AS agent
  FROM k JOIN "Agent" a ON a.did = k."agentDid" LEFT JOIN met ON met."agentDid" = k."agentDid"
  WHERE ${text} = '' OR strpos(lower(a.name), ${text}) > 0 OR strpos(lower(coalesce(a.operator, '')), ${text}) > 0
    OR strpos(lower(a.did), ${text}) > 0
  ORDER BY met."agentDid" IS NULL, lower(a.name), a.did LIMIT ${limit}`;
