import { Category, covers, sensitiveCategories } from "@/lib/protocol/scope";
import { sumOf } from "@/lib/rules/effect/seen";
import { type HeldCategory, reachOf } from "../access/sight/reach";
import type { Ctx } from "../context";

const categoriesMax = 40;

export interface KnownCategory {
  category: Category;
  /** Live memories and values in it and below it. */
  items: number;
}

/** Lists the categories to choose from in a form: the profile's own, and the usual ones. */
export async function listKnownCategories(ctx: Ctx, did: string): Promise<KnownCategory[]> {
  const { categories } = await reachOf(ctx, { did, agents: [], categories: usualCategories });
  const own = categories.map(({ category }) => category);
  return [...new Set([...usualCategories, ...own.map(topOf), ...own])]
    .filter((category) => Category.safeParse(category).success)
    .slice(0, categoriesMax)
    .sort()
    .map((category) => ({ category, items: itemsWithin(category, categories) }));
}

/** What a rule may be about on every profile. */
export const usualCategories: readonly Category[] = [
  ...["prof:preferences", "prof:interests", "prof:episodic", "prof:professional"],
  ...sensitiveCategories,
];

function itemsWithin(category: Category, held: readonly HeldCategory[]): number {
  const { memories, values } = sumOf(held.filter((one) => covers(category, one.category)));
  return memories + values;
}

function topOf(category: Category): Category {
  return category.split(".", 1)[0] ?? category;
}
