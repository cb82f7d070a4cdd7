import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { type GatewayError, invalidRequest } from "@/lib/protocol/errors";
import type { Category } from "@/lib/protocol/scope";
import { live } from "./content";

/** How many categories a profile may have, of live memories and named values together. */
export const categoriesMax = 500;

// One index probe per category, however many memories it holds; stops at the maximum.
const liveCategoriesOf = (profileId: Prisma.Sql) => Prisma.sql`
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

/** The categories of live memories and named values, as an array. */
export const categoriesOf = (profileId: Prisma.Sql) => Prisma.sql`
  ARRAY((${liveCategoriesOf(profileId)})
        UNION SELECT category FROM "NamedValue" WHERE "profileId" = ${profileId} ORDER BY category)`;

/** Whether something in this category leaves the profile within its categories: most often it has it already. */
const hasRoomFor = (profileId: Prisma.Sql, category: Prisma.Sql) => Prisma.sql`(
  EXISTS (SELECT FROM "Memory" WHERE "profileId" = ${profileId} AND category = ${category} AND ${live})
  OR EXISTS (SELECT FROM "NamedValue" WHERE "profileId" = ${profileId} AND category = ${category})
  OR cardinality(${categoriesOf(profileId)}) < ${categoriesMax})`;

/** Under the profile's lock. */
export async function hasRoom(
  tx: Tx,
  { profileId, category }: { profileId: number; category: string },
): Promise<boolean> {
  const statement = hasRoomFor(Prisma.sql`${profileId}::int`, Prisma.sql`${category}::text`);
  const [row] = await tx.$queryRaw<{ hasRoom: boolean }[]>`SELECT ${statement} AS "hasRoom"`;
  return row?.hasRoom ?? false;
}

/** Under the profile's lock, before something in this category is added. */
export async function refuseWithoutRoom(
  tx: Tx,
  { path, ...added }: { profileId: number; category: Category; path?: string },
): Promise<void> {
  if (!(await hasRoom(tx, added))) throw tooManyCategories(path);
}

/** Under the profile's lock, after many were added. */
export async function refuseManyCategories(
  tx: Tx,
  { profileId, path }: { profileId: number; path?: string },
): Promise<void> {
  const rows = await tx.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count FROM (
       SELECT category FROM "Memory" WHERE "profileId" = ${profileId} AND ${live}
       UNION SELECT category FROM "NamedValue" WHERE "profileId" = ${profileId}) c`;
  if ((rows[0]?.count ?? 0) > categoriesMax) throw tooManyCategories(path);
}

export function tooManyCategories(path = "category"): GatewayError {
  const message = `A profile has at most ${categoriesMax} categories, of memories and named values together. Use one that it has.`;
  return invalidRequest([{ path, message }]);
}
