import type { Pool } from "pg";
import type { Memory } from "@/lib/protocol/resources";
import type { Category } from "@/lib/protocol/scope";
import type { NamedValue, ProfileContent } from "@/lib/rules/reveal";

// What is live of a profile: neither archived nor deleted.
export const live = `"archivedAt" IS NULL AND "deletedAt" IS NULL`;

/** A profile's categories: one index probe each, however many memories they hold. */
export const categoriesOf = `
  categories AS (
    (SELECT category FROM "Memory" WHERE "profileId" = $1 AND ${live} ORDER BY category LIMIT 1)
    UNION ALL
    SELECT (SELECT m.category FROM "Memory" m
            WHERE m."profileId" = $1 AND ${live} AND m.category > categories.category
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
  const { rows } = await pool.query<{ namedValues: NamedValue[]; memories: Memory[] }>({
    name: "content",
    text: contentStatement,
    values: [profileId, recordsPerCategoryMax],
  });
  return { common, namedValues: rows[0]?.namedValues ?? [], memories: rows[0]?.memories ?? [] };
}

export function loadNamedValues(pool: Pool, profileId: number): Promise<NamedValue[]> {
  return pool
    .query<NamedValue>({
      name: "named-values",
      text: `SELECT category, name, value FROM "NamedValue" WHERE "profileId" = $1
             ORDER BY category, name`,
      values: [profileId],
    })
    .then(({ rows }) => rows);
}

export async function loadCategories(pool: Pool, profileId: number): Promise<Category[]> {
  const { rows } = await pool.query<{ category: Category }>({
    name: "categories",
    text: `WITH RECURSIVE ${categoriesOf} SELECT category FROM categories WHERE category IS NOT NULL`,
    values: [profileId],
  });
  return rows.map(({ category }) => category);
}

/** A record as the protocol shows it; PostgreSQL writes the instant as JavaScript does. */
export const memoryJson = `jsonb_build_object('id', m.id, 'content', m.content,
  'confidence', m.confidence, 'category', m.category,
  'createdAt', to_char(m."createdAt", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

const contentStatement = `
  WITH RECURSIVE ${categoriesOf}
  SELECT
    (SELECT coalesce(jsonb_agg(jsonb_build_object('category', category, 'name', name, 'value', value)
                               ORDER BY category, name), '[]')
     FROM "NamedValue" WHERE "profileId" = $1) AS "namedValues",
    (SELECT coalesce(jsonb_agg(${memoryJson} ORDER BY m.category, m."createdAt" DESC, m.id DESC), '[]')
     FROM categories CROSS JOIN LATERAL (
       SELECT * FROM "Memory" l
       WHERE l."profileId" = $1 AND l.category = categories.category AND ${live}
       ORDER BY l."createdAt" DESC, l.id DESC LIMIT $2) m
     WHERE categories.category IS NOT NULL) AS memories`;
