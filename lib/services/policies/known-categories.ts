import { Category, sensitiveCategories } from "@/lib/protocol/scope";
import { loadOwnCategories } from "../categories";
import type { Ctx } from "../context";
import { withProfile } from "../profile-gate";

const categoriesMax = 40;

/** Lists the categories a rule may be about: the profile's, and the well-known ones. */
export async function listKnownCategories(ctx: Ctx, did: string): Promise<Category[]> {
  return withProfile(ctx, { verb: "seeAsAgent", did }, async ({ profile }) => {
    const own = await loadOwnCategories(ctx.db, profile);
    const known = new Set([...usual, ...sensitiveCategories, ...own.map(topOf), ...own]);
    return [...known]
      .filter((category) => Category.safeParse(category).success)
      .slice(0, categoriesMax)
      .sort();
  });
}

const usual = ["prof:preferences", "prof:interests", "prof:episodic", "prof:professional"];

function topOf(category: Category): Category {
  return category.split(".", 1)[0] ?? category;
}
