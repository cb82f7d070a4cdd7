import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Memory } from "@/lib/protocol/answers/profile";
import type { Category } from "@/lib/protocol/scope";
import { live, readableIn, withinBytes } from "../content";
import { type Ctx, inSearch } from "../context";
import { hasOperators } from "../memories/search";
import { type MemoryLists, memoriesIn, memoryLists } from "../memories/served/memory-lists";
import { decider, withProfile } from "../profile-gate";
import { refusedScopes } from "../profiles";
import { reasonsOf } from "../refuse-scopes";

export interface SearchInput {
  did: string;
  /** Without it, the newest. */
  query?: string;
  /** This category and all below it. */
  category?: Category;
  limit: number;
}

/**
 * Searches the memories that the caller may read, and no others: what is hidden changes no order, no count, and not
 * how long it takes. Whole words come first, then parts of words, each newest first.
 */
export async function searchReadable(
  ctx: Ctx,
  { did, query, category, limit }: SearchInput,
): Promise<{ memories: Memory[]; total: number }> {
  const scopes = category === undefined ? [] : [category];
  return withProfile(ctx, { verb: "listMemories", did, scopes }, async (open) => {
    const decideCategory = decider(open, "read");
    const within = category === undefined ? null : scopes;
    const refused = await refusedScopes(ctx, open, { scopes: within ?? undefined, decideCategory });
    const { id: profileId, ownerId, categories } = open.profile;
    const { records } = readableIn({ categories: categories ?? [], decideCategory, within });
    const [found] = await inSearch(ctx, ownerId, (tx) =>
      tx.$queryRaw<Found[]>(searchSql({ profileId, records, query, limit })),
    );
    const memories = found === undefined ? [] : memoriesIn(found.memories);
    const shown = [...new Set(memories.map((memory) => memory.category))];
    const countOf = (one: Category) => memories.filter((memory) => memory.category === one).length;
    const grounds = shown.map((one) => [one, decideCategory(one).reason] as const);
    await open.record({
      denied: refused.map(({ scope }) => scope),
      items: Object.fromEntries(shown.map((one) => [one, countOf(one)])),
      receiptId: grounds.map(([, { receiptId }]) => receiptId).find(Boolean) ?? null,
      reasons: { ...reasonsOf(refused), ...Object.fromEntries(grounds) },
    });
    return { memories, total: found?.total ?? 0 };
  });
}

interface Found {
  memories: MemoryLists;
  total: number;
}

interface Searching {
  profileId: number;
  /** The categories that may be read. */
  records: readonly Category[];
  query: string | undefined;
  limit: number;
}

const searchSql = ({ profileId, records, query, limit }: Searching) => Prisma.sql`
  WITH h AS MATERIALIZED (
    SELECT m.id, m."createdAt", ${tierOf(query)} AS tier FROM "Memory" m
    WHERE m."profileId" = ${profileId} AND m.category = ANY (${records}) AND ${live}),
  first AS (SELECT m.*, h.tier FROM (
    SELECT * FROM h WHERE tier < 2 ORDER BY tier, "createdAt" DESC, id DESC LIMIT ${limit}) h JOIN "Memory" m USING (id)),
  kept AS ${withinBytes({ rows: Prisma.sql`SELECT * FROM first`, order: ranked })}
  SELECT (SELECT count(*)::int FROM h WHERE tier < 2) AS total,
    (SELECT ${memoryLists(Prisma.sql`m.tier, m."createdAt" DESC, m.id DESC`)} FROM kept m) AS memories`;

const ranked = Prisma.sql`tier, "createdAt" DESC, id DESC`;

// 0 for whole words, 1 for parts of words, 2 for neither. The indexes of words hold what is hidden as well: here each
// text that may be read is looked at, and no other.
function tierOf(query: string | undefined): Prisma.Sql {
  if (query === undefined) return Prisma.sql`0`;
  const part = `%${query.replace(/[\\%_]/g, "\\$&")}%`;
  const isPart = hasOperators(query)
    ? Prisma.sql`false`
    : Prisma.sql`(m.content || '') ILIKE ${part}`;
  return Prisma.sql`CASE
    WHEN to_tsvector('simple', m.content || '') @@ websearch_to_tsquery('simple', ${query}) THEN 0
    WHEN ${isPart} THEN 1 ELSE 2 END`;
}
