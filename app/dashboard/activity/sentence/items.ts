import type { LeftOut } from "@/lib/services/audit/record";
import { categoryWords } from "../../../_components/words/category";
import { counted, list } from "../../../_components/words/list";

// Units for counting the items of a category: singular and plural.
const countable: Record<string, [one: string, many: string]> = {
  "prof:preferences": ["preference", "preferences"],
  "prof:interests": ["interest", "interests"],
  "prof:episodic": ["episode", "episodes"],
  "prof:professional": ["professional fact", "professional facts"],
  "prof:relationships": ["relationship", "relationships"],
};

const namedMax = 3;

/** "4 preferences and 1 interest"; what goes beyond three categories is counted. */
export function itemsWords(items: Record<string, number>, beyond: LeftOut = {}): string {
  const counts = Object.entries(items).sort(([, a], [, b]) => b - a);
  const named = counts.slice(0, counts.length > namedMax ? namedMax - 1 : namedMax);
  const rest = counts.slice(named.length);
  const more = rest.reduce((sum, [, count]) => sum + count, beyond.itemCount ?? 0);
  const categories = rest.length + (beyond.items ?? 0);
  return list([
    ...named.map(([category, count]) => inCategory(category, count)),
    ...(rest.length > 0 ? [`${counted(more, "item")} in ${moreCategories(categories)}`] : []),
  ]);
}

export function countOf(items: Record<string, number>): number {
  return Object.values(items).reduce((sum, count) => sum + count, 0);
}

function inCategory(category: string, count: number): string {
  const words = Object.hasOwn(countable, category) ? countable[category] : undefined;
  if (words !== undefined) return counted(count, ...words);
  return `${counted(count, "item")} of ${categoryWords(category)}`;
}

/** "health and preferences › travel"; more than four are counted. */
export function scopeWords(scopes: readonly string[]): string {
  const words = [...new Set(scopes.map(categoryWords))];
  return words.length <= 4
    ? list(words)
    : list([...words.slice(0, 3), moreCategories(words.length - 3)]);
}

function moreCategories(count: number): string {
  return counted(count, "more category", "more categories");
}

/** Names scopes as belonging to the reader: "your health". Everything is not "your everything". */
export function yourScopes(scopes: readonly string[]): string {
  const words = scopeWords(scopes);
  return words.startsWith("everything") ? `${words} about you` : `your ${words}`;
}
