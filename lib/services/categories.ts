import type { Pool, PoolClient } from "pg";
import { type GatewayError, invalidRequest } from "@/lib/protocol/errors";
import { type Category, commonMemberScope } from "@/lib/protocol/scope";
import { live } from "./content";

/** How many categories a profile may have, of live memories and named values together. */
export const categoriesMax = 500;

// One index probe each, however many memories they hold; those beyond the most are not looked for.
const liveCategoriesOf = (profileId: string) => `
  WITH RECURSIVE live AS (
    (SELECT category FROM "Memory" WHERE "profileId" = ${profileId} AND ${live}
     ORDER BY category LIMIT 1)
    UNION ALL
    SELECT (SELECT m.category FROM "Memory" m
            WHERE m."profileId" = ${profileId} AND ${live} AND m.category > live.category
            ORDER BY m.category LIMIT 1)
    FROM live WHERE live.category IS NOT NULL
  )
  SELECT category FROM live WHERE category IS NOT NULL LIMIT ${categoriesMax}`;

/** Those that live memories or named values lie in, as an array. */
export const categoriesOf = (profileId: string) => `
  ARRAY((${liveCategoriesOf(profileId)})
        UNION SELECT category FROM "NamedValue" WHERE "profileId" = ${profileId} ORDER BY category)`;

/** Every category that something of a profile lies in. */
export async function loadOwnCategories(
  pool: Pool,
  { id, common }: { id: number; common: Record<string, unknown> },
): Promise<Category[]> {
  const { rows } = await pool.query<{ category: Category }>(
    `SELECT unnest(${categoriesOf("$1")}) AS category`,
    [id],
  );
  const members = Object.keys(common).map((member) => commonMemberScope(member));
  return [...new Set([...members, ...rows.map(({ category }) => category)])];
}

/** Whether something in this category leaves the profile within its categories: most often it has it already. */
export const hasRoomFor = (profileId: string, category: string) => `(
  EXISTS (SELECT FROM "Memory" WHERE "profileId" = ${profileId} AND category = ${category} AND ${live})
  OR EXISTS (SELECT FROM "NamedValue" WHERE "profileId" = ${profileId} AND category = ${category})
  OR cardinality(${categoriesOf(profileId)}) < ${categoriesMax})`;

/** Under the profile's lock, before something in this category is added. */
export async function refuseWithoutRoom(
  client: Pool | PoolClient,
  { profileId, category, path }: { profileId: number; category: Category; path?: string },
): Promise<void> {
  const { rows } = await client.query<{ hasRoom: boolean }>({
    name: "has-room-for",
    text: `SELECT ${hasRoomFor("$1::int", "$2::text")} AS "hasRoom"`,
    values: [profileId, category],
  });
  if (!rows[0]?.hasRoom) throw tooManyCategories(path);
}

/** After an import, which comes as a whole. */
export async function refuseManyCategories(client: PoolClient, profileId: number): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (
       SELECT category FROM "Memory" WHERE "profileId" = $1 AND ${live}
       UNION SELECT category FROM "NamedValue" WHERE "profileId" = $1) c`,
    [profileId],
  );
  if ((rows[0]?.count ?? 0) > categoriesMax) throw tooManyCategories("memories");
}

export function tooManyCategories(path = "category"): GatewayError {
  const message = `A profile has at most ${categoriesMax} categories, of memories and named values together. Use one that it has.`;
  return invalidRequest([{ path, message }]);
}
