import { gathered } from "@/lib/engine/gathered";
import type { MemoriesByCategory, PageMeta } from "@/lib/protocol/resources";
import { type Category, covers } from "@/lib/protocol/scope";
import { decideScope } from "@/lib/rules/decide-scope";
import { type NamedValue, reveal } from "@/lib/rules/reveal";
import { live, type MemoryLists, memoriesIn, memoryLists, namedValuesOf } from "../content";
import type { Ctx } from "../context";
import { decider, type OpenProfile, onProfile } from "../open-profile";
import { groundsOf } from "../profiles";
import { readLists, type Stamped, showsStamp } from "../read-lists";
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
    const { id: profileId, categories } = open.profile;
    const decideCategory = decider(open, "read");
    const readable = (categories ?? []).filter(
      (present) =>
        (category === undefined || covers(category, present)) &&
        decideCategory(present).outcome === "granted",
    );
    const page = await readLists(ctx, open.profile, (pool, stamped) =>
      pages(pool, { profileId, categories: readable, limit, offset, ...stamped }),
    );
    const { lists, total = 0, namedValues } = page ?? {};
    const memories = lists === undefined ? [] : memoriesIn(lists);
    const revealed = reveal({
      content: { common: {}, namedValues: namedValues ?? [], memories },
      decideCategory,
      within: category === undefined ? null : [category],
    });
    await open.record(ctx.pool, {
      granted: scopes,
      items: revealed.counts,
      ...groundsOf(revealed),
    });
    return { data: revealed.memories, meta: { count: memories.length, total, limit, offset } };
  });
}

async function refuseClosed(ctx: Ctx, open: OpenProfile, category: Category): Promise<void> {
  if (open.facts === null) return;
  const decision = decideScope(open.facts, { permission: "read", scope: category });
  if (!decision.hasGranted) await refuseScopes(ctx, open, [decision]);
}

interface PageAsked extends Stamped {
  profileId: number;
  categories: Category[];
  limit: number;
  offset: number;
}

interface Page {
  lists: MemoryLists;
  total: number;
  /** With the first page alone. */
  namedValues: NamedValue[] | null;
}

const pages = gathered<PageAsked, Page>({
  name: "memories-pages",
  batchMax: 8,
  quickBatchMax: 32,
  text: `
    SELECT asked.place,
      (SELECT ${memoryLists('m."createdAt" DESC, m.id DESC')}
       FROM (SELECT * FROM "Memory"
             WHERE "profileId" = asked."profileId" AND category = ANY(asked.categories) AND ${live}
             ORDER BY "createdAt" DESC, id DESC LIMIT asked."limit" OFFSET asked."offset") m) AS lists,
      (SELECT count(*)::int FROM "Memory"
       WHERE "profileId" = asked."profileId" AND category = ANY(asked.categories) AND ${live}) AS total,
      CASE asked."offset" WHEN 0 THEN ${namedValuesOf('asked."profileId"')} END AS "namedValues"
    FROM json_to_recordset($1)
      AS asked (place int, "profileId" int, categories text[], "limit" int, "offset" int, "listsStamp" text)
    WHERE ${showsStamp('asked."listsStamp"', 'asked."profileId"')}`,
  values: (asked) => [JSON.stringify(asked.map((page, index) => ({ place: index + 1, ...page })))],
});
