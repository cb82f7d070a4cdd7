import type { Category } from "@/lib/protocol/scope";
import type { Holdings } from "@/lib/rules/effect/seen";
import type { NamedValue } from "@/lib/rules/reveal";
import { live } from "../../content";
import type { Ctx } from "../../context";
import type { ProfileRow } from "../../facts";

interface Row {
  memories: Record<Category, number>;
  namedValues: NamedValue[];
}

/** Loads all values of a profile, and how many live memories each category has, in one statement. */
export async function loadHoldings(
  ctx: Ctx,
  { id, common }: Pick<ProfileRow, "id" | "common">,
): Promise<Holdings> {
  const [row] = await ctx.db.$queryRaw<Row[]>`SELECT
    (SELECT coalesce(jsonb_object_agg(category, count), '{}') FROM (
       SELECT category, count(*)::int AS count FROM "Memory"
       WHERE "profileId" = ${id} AND ${live} GROUP BY category) m) AS memories,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('category', category, 'name', name, 'value', value)
         ORDER BY category, name), '[]')
       FROM "NamedValue" WHERE "profileId" = ${id}) AS "namedValues"`;
  if (row === undefined) throw new Error("a statement of one row gave none");
  return { common, ...row };
}
