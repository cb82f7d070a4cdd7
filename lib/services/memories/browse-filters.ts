import type { Category } from "@/lib/protocol/scope";
import { type NamedAgent, namedAgent } from "../access/named-agent";
import type { Ctx } from "../context";
import { withProfile } from "../profile-gate";
import { type MemoryState, stateIs } from "./shown";

export interface MemoryFilters {
  agents: NamedAgent[];
  categories: Category[];
  hasImported: boolean;
  /** How many memories there are in each state. */
  counts: Record<MemoryState, number>;
}

const filtersMax = 200;

/** Returns what memories can be filtered by, including archived and deleted ones. */
export async function listMemoryFilters(ctx: Ctx, did: string): Promise<MemoryFilters> {
  return withProfile(ctx, { verb: "browseMemories", did }, async ({ profile }) => {
    const rows = await ctx.db.$queryRaw<MemoryFilters[]>`
        WITH m AS MATERIALIZED (
          SELECT category, "agentDid", bool_or(source = 'imported') AS imported,
            count(*) FILTER (WHERE ${stateIs.live}) AS live,
            count(*) FILTER (WHERE ${stateIs.archived}) AS archived,
            count(*) FILTER (WHERE ${stateIs.deleted}) AS deleted
          FROM "Memory" m WHERE "profileId" = ${profile.id} GROUP BY category, "agentDid"
        ), k AS (SELECT DISTINCT category FROM m ORDER BY category LIMIT ${filtersMax}),
          c AS (SELECT DISTINCT "agentDid" FROM m WHERE "agentDid" IS NOT NULL LIMIT ${filtersMax})
        SELECT
          (SELECT coalesce(jsonb_agg(${namedAgent("c")} ORDER BY lower(coalesce(a.name, c."agentDid"))), '[]')
           FROM c LEFT JOIN "Agent" a ON a.did = c."agentDid") AS agents,
          (SELECT coalesce(jsonb_agg(category ORDER BY category), '[]') FROM k) AS categories,
          (SELECT coalesce(bool_or(imported), false) FROM m) AS "hasImported",
          (SELECT jsonb_build_object('live', coalesce(sum(live), 0),
             'archived', coalesce(sum(archived), 0), 'deleted', coalesce(sum(deleted), 0))
           FROM m) AS counts`;
    const [filters] = rows;
    if (filters === undefined) throw new Error("a statement of one row gave none");
    return filters;
  });
}
