import type { Pool } from "pg";
import type { MemoriesByCategory, Memory, PageMeta } from "@/lib/protocol/resources";
import { type Category, covers } from "@/lib/protocol/scope";
import { decideScope } from "@/lib/rules/decide-scope";
import { reveal } from "@/lib/rules/reveal";
import { live, loadCategories, loadNamedValues, memoryJson } from "../content";
import type { Ctx } from "../context";
import { decider, type OpenProfile, onProfile } from "../open-profile";
import { groundsOf } from "../profiles";
import { refuseScopes } from "../refuse-scopes";

export interface MemoriesAsked {
  did: string;
  category?: Category;
  limit: number;
  offset: number;
}

/** Spec, Endpoints 3. Named values come with the first page; the page counts records. */
export async function listMemories(
  ctx: Ctx,
  { did, category, limit, offset }: MemoriesAsked,
): Promise<{ data: MemoriesByCategory; meta: PageMeta }> {
  const scopes = category === undefined ? [] : [category];
  return onProfile(ctx, { verb: "listMemories", did, scopes }, async (open) => {
    if (category !== undefined) await refuseClosed(ctx, open, category);
    const { id: profileId } = open.profile;
    const decideCategory = decider(open, "read");
    const readable = (await loadCategories(ctx.pool, profileId)).filter(
      (present) =>
        (category === undefined || covers(category, present)) &&
        decideCategory(present).outcome === "granted",
    );
    const page = await loadPage(ctx.pool, { profileId, categories: readable, limit, offset });
    const namedValues = offset === 0 ? await loadNamedValues(ctx.pool, profileId) : [];
    const revealed = reveal({
      content: { common: {}, namedValues, memories: page.memories },
      decideCategory,
      within: category === undefined ? null : [category],
    });
    await open.record(ctx.pool, {
      granted: scopes,
      items: revealed.counts,
      ...groundsOf(revealed),
    });
    const { memories, total } = page;
    return { data: revealed.memories, meta: { count: memories.length, total, limit, offset } };
  });
}

async function refuseClosed(ctx: Ctx, open: OpenProfile, category: Category): Promise<void> {
  if (open.facts === null) return;
  const decision = decideScope(open.facts, { permission: "read", scope: category });
  if (!decision.hasGranted) await refuseScopes(ctx, open, [decision]);
}

interface PageAsked {
  profileId: number;
  categories: Category[];
  limit: number;
  offset: number;
}

async function loadPage(
  pool: Pool,
  { profileId, categories, limit, offset }: PageAsked,
): Promise<{ memories: Memory[]; total: number }> {
  const { rows } = await pool.query<{ memories: Memory[]; total: number }>({
    name: "memories-page",
    text: pageStatement,
    values: [profileId, categories, limit, offset],
  });
  return rows[0] ?? { memories: [], total: 0 };
}

const pageStatement = `
  SELECT
    (SELECT coalesce(json_agg(${memoryJson} ORDER BY m."createdAt" DESC, m.id DESC), '[]')
     FROM (SELECT * FROM "Memory"
           WHERE "profileId" = $1 AND category = ANY($2) AND ${live}
           ORDER BY "createdAt" DESC, id DESC LIMIT $3 OFFSET $4) m) AS memories,
    (SELECT count(*)::int FROM "Memory"
     WHERE "profileId" = $1 AND category = ANY($2) AND ${live}) AS total`;
