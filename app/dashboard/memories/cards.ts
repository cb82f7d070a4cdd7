import type { MemoryFilters } from "@/lib/services/memories/browse-filters";
import type { MemoryState, ShownMemory } from "@/lib/services/memories/shown";
import type { Choice } from "../../_components/forms/select-field";
import { categoryTitle, isSensitive, knownCategories } from "../../_components/words/category";
import { confidenceWords } from "../../_components/words/confidence";
import { visibleText } from "../../_components/words/inert";
import type { Editable } from "./edit/forms";

/** What can be done to a memory, by where it is. */
export const howsOf = {
  live: ["archive", "delete"],
  archived: ["unarchive", "delete"],
  deleted: ["undelete"],
} as const satisfies Record<MemoryState, readonly string[]>;

/** Those in use and those with words of their own. */
export function categoryChoices({ categories }: Pick<MemoryFilters, "categories">): Choice[] {
  const all = [...new Set([...categories, ...knownCategories])];
  return all
    .map((value) => ({
      value,
      text: `${categoryTitle(value)}${isSensitive(value) ? " (sensitive)" : ""}`,
    }))
    .sort((one, other) => one.text.localeCompare(other.text, "en"));
}

export function editableOf({
  id,
  content,
  category,
  confidence,
  updatedAt,
}: ShownMemory): Editable {
  return {
    id,
    content: visibleText(content),
    category,
    confidence: `${confidenceWords(confidence)} (${confidence.toFixed(2)})`,
    updatedAt: updatedAt.toISOString(),
  };
}

export function labelOf({ content }: ShownMemory): string {
  const characters = Array.from(visibleText(content));
  return `Memory: ${characters.slice(0, 60).join("")}${characters.length > 60 ? "…" : ""}`;
}
