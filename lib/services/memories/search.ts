import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { type Narrowing, narrowed } from "./narrowed";
import { type ShownMemory, shownColumns, shownJoins } from "./shown";

/** Returns ids of whole-word matches (tier 0) and partial ones (tier 1), by an index each. */
export function hits(where: Prisma.Sql, search: string): Prisma.Sql {
  const byWords = Prisma.sql`SELECT m.id, 0 AS tier FROM "Memory" m WHERE ${where}
    AND to_tsvector('simple', m.content) @@ websearch_to_tsquery('simple', ${search})`;
  if (hasOperators(search)) return byWords;
  const byPart = Prisma.sql`SELECT m.id, 1 AS tier FROM "Memory" m WHERE ${where}
    AND m.content ILIKE ${`%${search.replace(/[\\%_]/g, "\\$&")}%`}`;
  return Prisma.sql`SELECT id, min(tier) AS tier FROM (${byWords} UNION ALL ${byPart}) u GROUP BY id`;
}

/** Quotes and -fig are operators: parts of words and similar spellings are not searched then. */
export function hasOperators(search: string): boolean {
  return /"|(^|\s)-\S/.test(search);
}

const nearTextMax = 60;

/** Whether similar spellings make sense: a word of at least three letters, and no paragraph. */
export function isNearWorthwhile(search: string): boolean {
  return !hasOperators(search) && search.length <= nearTextMax && longWords(search).length > 0;
}

// Compares each word by itself: two misspelt words together have too little in common with any text.
function longWords(search: string): string[] {
  return [...new Set(search.match(/[\p{L}\p{N}]{3,}/gu) ?? [])];
}

// Each costs a comparison; of more than these the nearest are near enough.
const candidatesMax = 200;

/** Returns memories with words spelled like the search terms, nearest first. */
export async function findNear(
  tx: Tx,
  profileId: number,
  { search, limit, ...narrowing }: Narrowing & { search: string; limit: number },
): Promise<ShownMemory[]> {
  // PostgreSQL's own 0.6 misses one wrong letter in the middle of a word, where more than half of its trigrams
  // are lost.
  await tx.$executeRaw`SET LOCAL pg_trgm.word_similarity_threshold = 0.4`;
  const where = narrowed(profileId, narrowing);
  const sought = longWords(search);
  const nearness = sought.map((word) => Prisma.sql`word_similarity(${word}, c.content)`);
  const isNear = sought.map((word) => Prisma.sql`${word} <% m.content`);
  const rows = await tx.$queryRaw<(ShownMemory & { nearness: number })[]>`
    SELECT ${shownColumns}, m.nearness
    FROM (SELECT c.*, ${Prisma.join(nearness, " + ")} AS nearness
          FROM (SELECT m.* FROM "Memory" m WHERE ${where} AND ${Prisma.join(isNear, " AND ")}
                LIMIT ${candidatesMax}) c
          ORDER BY nearness DESC, c."createdAt" DESC, c.id DESC LIMIT ${limit}) m
    ${shownJoins}
    ORDER BY m.nearness DESC, m."createdAt" DESC, m.id DESC`;
  return rows.map(({ nearness: _nearness, ...memory }) => memory);
}
