import type { Ctx } from "../../context";
import { withProfile } from "../../profile-gate";
import { verbsOf } from "../kinds";
import { matching } from "../matching";
import { type CountsQuery, daysSql } from "./count-by-day";

export interface CategoryCount {
  day: string;
  /** The root of a category: "prof:health"; null for all but the most read. */
  category: string | null;
  items: number;
}

const categoriesMax = 8;

/** Counts the items that agents read by day and category, the most read categories first. */
export async function countCategories(
  ctx: Ctx,
  { did, days, ...filter }: Omit<CountsQuery, "agentsMax">,
): Promise<CategoryCount[]> {
  return withProfile(
    ctx,
    { verb: "readActivity", did },
    async ({ profile }) =>
      ctx.db.$queryRaw<CategoryCount[]>`
  WITH days AS (
    SELECT d.day, c.*
    FROM ${daysSql(days)} CROSS JOIN LATERAL (
      SELECT split_part(i.key, '.', 1) AS category, sum(i.value::int) AS items
      FROM "AccessEvent" e CROSS JOIN LATERAL jsonb_each_text(e.items) i
      WHERE ${matching(profile.id, filter)} AND e.at >= d."from" AND e.at < d."to" AND e.outcome = 'ok'
        AND e.verb = ANY(${verbsOf("reads").verbs}::text[]) AND starts_with(e."actorId", 'did:prof:agent:')
      GROUP BY 1) c
  ), most AS (
    SELECT category, sum(items) AS total FROM days GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${categoriesMax}
  )
  SELECT day, most.category, sum(items)::float8 AS items FROM days LEFT JOIN most USING (category)
  GROUP BY day, most.category, most.total ORDER BY most.total DESC NULLS LAST, most.category, day`,
  );
}
