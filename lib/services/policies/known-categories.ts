import { Prisma } from "@/lib/engine/prisma-client/client";
import { Category, covers, sensitiveCategories } from "@/lib/protocol/scope";
import { loadOwnCategories } from "../categories";
import { live } from "../content";
import type { Ctx } from "../context";
import { withProfile } from "../profile-gate";

const categoriesMax = 40;

export interface KnownCategory {
  category: Category;
  /** Live memories in it and below it. */
  memories: number;
}

/** Lists the categories to choose from in a form: the profile's own, and the usual ones. */
export async function listKnownCategories(ctx: Ctx, did: string): Promise<KnownCategory[]> {
  return withProfile(ctx, { verb: "seeAsAgent", did }, async ({ profile }) => {
    const [own, counts] = await Promise.all([
      loadOwnCategories(ctx.db, profile),
      countEachCategory(ctx, profile.id),
    ]);
    const known = new Set([...usualCategories, ...own.map(topOf), ...own]);
    return [...known]
      .filter((category) => Category.safeParse(category).success)
      .slice(0, categoriesMax)
      .sort()
      .map((category) => ({ category, memories: sumWithin(category, counts) }));
  });
}

/** What a rule may be about on every profile. */
export const usualCategories: readonly Category[] = [
  ...["prof:preferences", "prof:interests", "prof:episodic", "prof:professional"],
  ...sensitiveCategories,
];

export interface CategoryCount {
  category: Category;
  count: number;
}

/** Counts the live memories of each category. */
export function countEachCategory({ db }: Ctx, profileId: number): Promise<CategoryCount[]> {
  return db.$queryRaw<CategoryCount[]>(Prisma.sql`SELECT category, count(*)::int AS count
    FROM "Memory" WHERE "profileId" = ${profileId} AND ${live} GROUP BY category`);
}

function sumWithin(category: Category, counts: readonly CategoryCount[]): number {
  return counts.reduce((sum, one) => sum + (covers(category, one.category) ? one.count : 0), 0);
}

function topOf(category: Category): Category {
  return category.split(".", 1)[0] ?? category;
}
