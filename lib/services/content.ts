import type { Pool } from "pg";
import { gathered } from "@/lib/engine/gathered";
import type { Memory } from "@/lib/protocol/resources";
import { type Category, commonMemberScope } from "@/lib/protocol/scope";
import type { NamedValue, ProfileContent } from "@/lib/rules/reveal";

// What is live of a profile: neither archived nor deleted.
export const live = `"archivedAt" IS NULL AND "deletedAt" IS NULL`;

/** A profile's categories: one index probe each, however many memories they hold. */
const categoriesOf = (profileId: string) => `
  categories AS (
    (SELECT category FROM "Memory" WHERE "profileId" = ${profileId} AND ${live}
     ORDER BY category LIMIT 1)
    UNION ALL
    SELECT (SELECT m.category FROM "Memory" m
            WHERE m."profileId" = ${profileId} AND ${live} AND m.category > categories.category
            ORDER BY m.category LIMIT 1)
    FROM categories WHERE categories.category IS NOT NULL
  )`;

export interface ContentAsked {
  profileId: number;
  common: Record<string, unknown>;
  recordsPerCategoryMax: number;
}

/** Named values, and of each category the newest records, in one statement. */
export async function loadContent(
  pool: Pool,
  { profileId, common, recordsPerCategoryMax }: ContentAsked,
): Promise<ProfileContent<Memory>> {
  const held = await contents(pool, { profileId, recordsPerCategoryMax });
  if (held === undefined) return { common, namedValues: [], memories: [] };
  return { common, namedValues: held.namedValues, memories: memoriesIn(held.memories) };
}

/** Those that records lie in, as an array. */
export const liveCategoriesOf = (profileId: string) => `
  ARRAY(WITH RECURSIVE ${categoriesOf(profileId)}
        SELECT category FROM categories WHERE category IS NOT NULL)`;

/** Every category that something of a profile lies in. */
export async function loadOwnCategories(
  pool: Pool,
  { id, common }: { id: number; common: Record<string, unknown> },
): Promise<Category[]> {
  const { rows } = await pool.query<{ category: Category }>(
    `SELECT unnest(${liveCategoriesOf("$1")}) AS category
     UNION SELECT category FROM "NamedValue" WHERE "profileId" = $1`,
    [id],
  );
  const members = Object.keys(common).map((member) => commonMemberScope(member));
  return [...new Set([...members, ...rows.map(({ category }) => category)])];
}

/** As a JSON list. */
export const namedValuesOf = (profileId: string) => `
  (SELECT coalesce(json_agg(json_build_object('category', category, 'name', name, 'value', value)
                            ORDER BY category, name), '[]')
   FROM "NamedValue" WHERE "profileId" = ${profileId})`;

/** Records `m` in their order, a list for each member: an object for each record takes twice as long. */
export const memoryLists = (order: string) =>
  `json_build_array(${["m.id", "m.content", "m.confidence", "m.category", 'm."createdAt"']
    .map((member) => `coalesce(json_agg(${member} ORDER BY ${order}), '[]')`)
    .join(", ")})`;

export type MemoryLists = [
  ids: string[],
  contents: string[],
  confidences: number[],
  categories: Category[],
  instants: string[],
];

/** As the protocol shows them. */
export function memoriesIn(lists: MemoryLists): Memory[] {
  const [ids, contents, confidences, categories, instants] = lists;
  return ids.map((id, place) => ({
    id,
    content: contents[place] as string,
    confidence: confidences[place] as number,
    category: categories[place] as Category,
    createdAt: instantOf(instants[place] as string),
  }));
}

// As PostgreSQL writes it in UTC, and in JSON without the zeros at the end.
const writtenInUtc = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,3}))?\+00:00$/;

/** As the protocol writes it. A date made of it, and a text of that again, takes five times as long. */
function instantOf(written: string): string {
  const [, second, fraction = ""] = writtenInUtc.exec(written) ?? [];
  if (second === undefined) return new Date(written).toISOString();
  return `${second}.${fraction.padEnd(3, "0")}Z`;
}

const contents = gathered<
  Omit<ContentAsked, "common">,
  { namedValues: NamedValue[]; memories: MemoryLists }
>({
  name: "contents",
  batchMax: 8,
  quickBatchMax: 32,
  text: `
    SELECT asked.place,
      ${namedValuesOf('asked."profileId"')} AS "namedValues",
      (WITH RECURSIVE ${categoriesOf('asked."profileId"')}
       SELECT ${memoryLists('m.category, m."createdAt" DESC, m.id DESC')}
       FROM categories CROSS JOIN LATERAL (
         SELECT * FROM "Memory" l
         WHERE l."profileId" = asked."profileId" AND l.category = categories.category AND ${live}
         ORDER BY l."createdAt" DESC, l.id DESC LIMIT asked.most) m
       WHERE categories.category IS NOT NULL) AS memories
    FROM unnest((SELECT $1::int[]), (SELECT $2::int[])) WITH ORDINALITY AS asked ("profileId", most, place)`,
  values: (asked) => [
    asked.map(({ profileId }) => profileId),
    asked.map(({ recordsPerCategoryMax }) => recordsPerCategoryMax),
  ],
});
