import { cachedAtRevision } from "@/lib/engine/load/revision-cache";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { batched, jsonOf } from "@/lib/engine/query-batcher";
import { answerBounds, type MemoriesMeta } from "@/lib/protocol/answers/answer-meta";
import type { MemoriesByCategory, Memory } from "@/lib/protocol/answers/profile";
import { notFound } from "@/lib/protocol/errors";
import type { Category, Scope } from "@/lib/protocol/scope";
import type { DecideCategory } from "@/lib/rules/decide";
import { type NamedValue, reveal } from "@/lib/rules/reveal";
import {
  bytesOfContent,
  live,
  namedValuesIn,
  newestFirst,
  type Readable,
  readableIn,
  withinBytes,
} from "../content";
import type { Ctx } from "../context";
import type { ProfileRow } from "../facts";
import { decider, withProfile } from "../profile-gate";
import { groundsOf, partsMeta, refusedScopes } from "../profiles";
import { reasonsOf } from "../refuse-scopes";
import { type MemoryLists, memoriesIn, memoryLists } from "./served/memory-lists";

export interface MemoriesQuery {
  did: string;
  category?: Category;
  limit: number;
  offset: number;
}

/** Spec, Endpoints 3. Named values come with the first page; the page counts records. */
export async function listMemories(
  ctx: Ctx,
  { did, category, limit, offset }: MemoriesQuery,
): Promise<{ data: MemoriesByCategory; meta: MemoriesMeta }> {
  const scopes = category === undefined ? [] : [category];
  return withProfile(ctx, { verb: "listMemories", did, scopes }, async (open) => {
    const decideCategory = decider(open, "read");
    const within = category === undefined ? null : scopes;
    const refused = await refusedScopes(ctx, open, { scopes: within ?? undefined, decideCategory });
    const denied = refused.map(({ scope }) => scope);
    const { profile } = open;
    const page = await memoryPage(ctx, { profile, decideCategory, within, limit, offset });
    const { memories, total, namedValues, truncated } = page;
    const content = { common: {}, namedValues: namedValues ?? [], memories };
    const revealed = reveal({ content, decideCategory, within });
    const grounds = groundsOf(revealed);
    await open.record({
      granted: scopes.filter((scope) => !denied.includes(scope)),
      denied,
      items: revealed.counts,
      ...grounds,
      reasons: { ...reasonsOf(refused), ...grounds.reasons },
    });
    const meta = { count: memories.length, total, limit, offset };
    return { data: revealed.memories, meta: { ...meta, ...partsMeta({ denied, truncated }) } };
  });
}

export interface PageInput {
  profile: Pick<ProfileRow, "id" | "categories" | "revision">;
  decideCategory: DecideCategory;
  /** Only what these scopes cover; null for everything. */
  within: readonly Scope[] | null;
  limit: number;
  offset: number;
}

/** Loads one page of what these decisions open, for the agent that lists it and for the owner who looks first. */
export function memoryPage(
  ctx: Ctx,
  { profile, limit, offset, ...opened }: PageInput,
): Promise<Page> {
  const { id: profileId, categories, revision } = profile;
  const readable = readableIn({ categories: categories ?? [], ...opened });
  return storedPage(ctx, revision, { profileId, ...readable, limit, offset });
}

interface PageQuery extends Readable {
  profileId: number;
  limit: number;
  offset: number;
}

interface Page {
  revision: string;
  memories: Memory[];
  total: number;
  /** Only on the first page, as far as they fit, with the categories of those that do not. */
  namedValues: NamedValue[] | null;
  truncated: Category[];
}

// As of the revision that was decided by, or later.
function storedPage(ctx: Ctx, revision: string, query: PageQuery): Promise<Page> {
  return cachedAtRevision(ctx.cache, {
    what: ["page", query],
    revision: ctx.revisions && revision,
    read: async () => {
      const row = await pages(ctx.pool, query);
      if (row === undefined) throw notFound("profile");
      const { lists, ...page } = row;
      return { ...page, memories: memoriesIn(lists) };
    },
    revisionOf: ({ revision }) => revision,
    bytesOf: bytesOfContent,
  });
}

const { bytesMax, truncatedMax } = answerBounds;

const pages = batched<PageQuery, Omit<Page, "memories"> & { lists: MemoryLists }>({
  name: "memories-pages",
  batchMax: 8,
  quickBatchMax: 32,
  keyOf: ({ profileId }) => profileId,
  sql: (input) => Prisma.sql`
    SELECT asked.place, p.revision::text AS revision, v.values AS "namedValues",
      ARRAY(SELECT DISTINCT unnest(v.cut) ORDER BY 1 LIMIT ${truncatedMax}) AS truncated,
      (SELECT ${memoryLists(Prisma.sql`m."createdAt" DESC, m.id DESC`)} FROM ${withinBytes({
        rows: Prisma.sql`SELECT * FROM "Memory"
         WHERE "profileId" = asked."profileId" AND category = ANY (asked.records) AND ${live}
         ORDER BY ${newestFirst} LIMIT asked."limit" OFFSET asked."offset"`,
        order: newestFirst,
        bytes: Prisma.sql`${bytesMax} - coalesce(v.bytes, 0)`,
      })} m) AS lists,
      (SELECT count(*)::int FROM "Memory"
       WHERE "profileId" = asked."profileId" AND category = ANY (asked.records) AND ${live}) AS total
    FROM json_to_recordset(${jsonOf(input)}::json) AS asked
      (place int, "profileId" int, records text[], values text[], denied text[], "limit" int, "offset" int)
    CROSS JOIN LATERAL (SELECT revision FROM "Profile" WHERE id = asked."profileId" LIMIT 1) p
    LEFT JOIN LATERAL ${namedValuesIn} v ON asked."offset" = 0`,
});
