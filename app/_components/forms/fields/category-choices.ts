import type { Category } from "@/lib/protocol/scope";
import { categoryTitle, isSensitive, knownCategories } from "../../words/category";
import { fittingCount } from "../../words/list";
import { optionsCharactersMax } from "./options";
import type { Choice } from "./select-field";

/** Returns the known categories and as many of the used ones as fit, by their titles. `own` are always among them. */
export function categoryChoices(
  used: readonly Category[],
  own: readonly Category[] = [],
): Choice[] {
  const all = [...new Set([...knownCategories, ...own, ...used])];
  const fitting = fittingCount(all, { of: ({ length }) => 2 * length, max: optionsCharactersMax });
  return all
    .slice(0, fitting)
    .map((value) => ({
      value,
      text: `${categoryTitle(value)}${isSensitive(value) ? " (sensitive)" : ""}`,
    }))
    .sort((one, other) => one.text.localeCompare(other.text, "en"));
}
