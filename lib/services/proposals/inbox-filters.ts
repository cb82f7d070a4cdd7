import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Category } from "@/lib/protocol/scope";
import { type NamedAgent, namedAgent } from "../access/named-agent";
import { categoriesOf } from "../categories";
import type { Ctx } from "../context";
import { withProfile } from "../profile-gate";

export interface InboxFilters {
  agents: NamedAgent[];
  categories: Category[];
  /** Where the profile keeps something. */
  own: Category[];
}

const filtersMax = 200;

/** Returns what the inbox can be filtered by: agents and categories. */
export async function listInboxFilters(ctx: Ctx, did: string): Promise<InboxFilters> {
  return withProfile(ctx, { verb: "reviewProposal", did }, async ({ profile }) => {
    const rows = await ctx.db.$queryRaw<InboxFilters[]>`
        WITH p AS (SELECT DISTINCT "agentDid" FROM "Proposal" WHERE "profileId" = ${profile.id} LIMIT ${filtersMax}),
          k AS (SELECT DISTINCT category FROM "Proposal" WHERE "profileId" = ${profile.id} LIMIT ${filtersMax})
        SELECT
          (SELECT coalesce(jsonb_agg(${namedAgent("p")} ORDER BY lower(coalesce(a.name, p."agentDid"))), '[]')
           FROM p LEFT JOIN "Agent" a ON a.did = p."agentDid") AS agents,
          (SELECT coalesce(jsonb_agg(category ORDER BY category), '[]') FROM k) AS categories,
          ${categoriesOf(Prisma.sql`${profile.id}::int`)} AS own`;
    return rows[0] ?? { agents: [], categories: [], own: [] };
  });
}
