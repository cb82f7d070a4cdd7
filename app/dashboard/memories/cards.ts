import type { Category } from "@/lib/protocol/scope";
import type { MemoryFilters } from "@/lib/services/memories/browse-filters";
import type { MemoryState, ShownMemory } from "@/lib/services/memories/shown";
import { optionsCharactersMax } from "../../_components/forms/options";
import type { Choice } from "../../_components/forms/select-field";
import { categoryTitle, isSensitive, knownCategories } from "../../_components/words/category";
import { visibleText } from "../../_components/words/inert";
import { fittingCount } from "../../_components/words/list";

/** The actions for a memory, by its state. */
export const howsOf = {
  live: ["archive", "delete"],
  archived: ["unarchive", "delete"],
  deleted: ["undelete"],
} as const satisfies Record<MemoryState, readonly string[]>;

/** Returns the known categories, the memory's own, and as many of those in use as fit. Others can be typed. */
export function categoryChoices(
  { categories }: Pick<MemoryFilters, "categories">,
  own: readonly Category[] = [],
): Choice[] {
  const all = [...new Set([...knownCategories, ...own, ...categories])];
  const fitting = fittingCount(all, { of: ({ length }) => 2 * length, max: optionsCharactersMax });
  return all
    .slice(0, fitting)
    .map((value) => ({
      value,
      text: `${categoryTitle(value)}${isSensitive(value) ? " (sensitive)" : ""}`,
    }))
    .sort((one, other) => one.text.localeCompare(other.text, "en"));
}

export function labelOf({ content }: ShownMemory): string {
  const characters = Array.from(visibleText(content));
  return `Memory: ${characters.slice(0, 60).join("")}${characters.length > 60 ? "…" : ""}`;
}
