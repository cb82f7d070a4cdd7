import type { Category } from "@/lib/protocol/scope";
import table from "./categories.json";

const sorts = table.sorts.map(({ category, headings, words }) => ({
  category,
  headings: new Set(headings),
  words: new Set(words),
}));
const contentMax = 1_000;
const personal = new Set(table.personal);

/**
 * Suggests a category by the heading, then by the words of the text. It never suggests a sensitive one, and what
 * mentions health, money or family stays in the general one: others may be open to agents.
 */
export function suggestCategory(item: { content: string; section: string | null }): Category {
  const heading = wordsOf(item.section ?? "");
  const words = wordsOf(item.content.slice(0, contentMax));
  if ([...heading, ...words].some((word) => personal.has(word))) return table.general;
  const found =
    sorts.find(({ headings }) => heading.some((word) => headings.has(word))) ??
    sorts.find((one) => words.some((word) => one.words.has(word)));
  return found?.category ?? table.general;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}
