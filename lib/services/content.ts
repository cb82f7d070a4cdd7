import type { Pool } from "pg";
import { gathered } from "@/lib/engine/gathered";
import type { Memory } from "@/lib/protocol/resources";
import { type Category, commonMemberScope } from "@/lib/protocol/scope";
import type { NamedValue, ProfileContent } from "@/lib/rules/reveal";
import { type Stamped, showsStamp } from "./read-lists";

// What is live of a profile: neither archived nor deleted.
export const live = `"archivedAt" IS NULL AND "deletedAt" IS NULL`;

/** A profile's categories: one index probe each, however many memories they hold. */
export const categoriesOf = (profileId: string) => `
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
  const { namedValues = [], memories = [] } =
    (await contents(pool, { profileId, recordsPerCategoryMax })) ?? {};
  return { common, namedValues, memories };
}

/** Those that records lie in. */
export const loadCategories = gathered<{ profileId: number } & Stamped, { categories: Category[] }>(
  {
    name: "categories",
    text: `
    SELECT asked.place, ARRAY(
      WITH RECURSIVE ${categoriesOf('asked."profileId"')}
      SELECT category FROM categories WHERE category IS NOT NULL) AS categories
    FROM unnest((SELECT $1::int[]), (SELECT $2::text[])) WITH ORDINALITY AS asked ("profileId", "listsStamp", place)
    WHERE ${showsStamp('asked."listsStamp"', 'asked."profileId"')}`,
    values: (asked) => [
      asked.map(({ profileId }) => profileId),
      asked.map(({ listsStamp }) => listsStamp),
    ],
  },
);

/** Every category that something of a profile lies in. */
export async function loadOwnCategories(
  pool: Pool,
  { id, common }: { id: number; common: Record<string, unknown> },
): Promise<Category[]> {
  const [ofMemories, { rows: named }] = await Promise.all([
    loadCategories(pool, { profileId: id, listsStamp: null }),
    pool.query<{ category: Category }>(
      `SELECT DISTINCT category FROM "NamedValue" WHERE "profileId" = $1`,
      [id],
    ),
  ]);
  const members = Object.keys(common).map((member) => commonMemberScope(member));
  return [
    ...new Set([
      ...members,
      ...(ofMemories?.categories ?? []),
      ...named.map(({ category }) => category),
    ]),
  ];
}

/** As a JSON list. */
export const namedValuesOf = (profileId: string) => `
  (SELECT coalesce(json_agg(json_build_object('category', category, 'name', name, 'value', value)
                            ORDER BY category, name), '[]')
   FROM "NamedValue" WHERE "profileId" = ${profileId})`;

/** A record as the protocol shows it; PostgreSQL writes the instant as JavaScript does. */
export const memoryJson = `json_build_object('id', m.id, 'content', m.content,
  'confidence', m.confidence, 'category', m.category,
  'createdAt', to_char(m."createdAt", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

const contents = gathered<
  Omit<ContentAsked, "common">,
  { namedValues: NamedValue[]; memories: Memory[] }
>({
  name: "contents",
  batchMax: 8,
  text: `
    SELECT asked.place,
      ${namedValuesOf('asked."profileId"')} AS "namedValues",
      (WITH RECURSIVE ${categoriesOf('asked."profileId"')}
       SELECT coalesce(json_agg(${memoryJson} ORDER BY m.category, m."createdAt" DESC, m.id DESC), '[]')
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
