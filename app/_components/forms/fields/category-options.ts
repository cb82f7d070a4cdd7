import { type Category, isSensitive } from "@/lib/protocol/scope";
import { categoryTitle, knownCategories } from "../../words/category";
import { fittingCount } from "../../words/list";
import { type Option, optionsCharactersMax, sizeOf } from "./options";

/** Returns the known categories and as many of the used ones as fit, by their titles. `own` are always among them. */
export function categoryOptions(
  used: readonly Category[],
  own: readonly Category[] = [],
): Option[] {
  const all = [...new Set([...knownCategories, ...own, ...used])].map(optionOf);
  const fitting = fittingCount(all, { of: sizeOf, max: optionsCharactersMax });
  return all.slice(0, fitting).sort(([, one], [, other]) => one.localeCompare(other, "en"));
}

function optionOf(category: Category): Option {
  return [category, `${categoryTitle(category)}${isSensitive(category) ? " (sensitive)" : ""}`];
}
