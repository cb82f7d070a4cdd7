import type { Reach } from "@/lib/rules/effect/reach";
import { categoryWords } from "../../_components/words/category";
import { list } from "../../_components/words/list";

/** "May read preferences, and propose everything except health." */
export function reachWords(reads: Reach, proposes: Reach): string {
  const read = scopesIn(reads);
  const proposed = scopesIn(proposes);
  if (read === null && proposed === null)
    return "May read nothing without asking first, and propose nothing.";
  if (read === proposed) return `May read and propose ${read}.`;
  if (proposed === null) return `May read ${read}, and propose nothing.`;
  if (read === null) return `May propose ${proposed}, and read nothing without asking first.`;
  return `May read ${read}; may propose ${proposed}.`;
}

function scopesIn({ scopes, except }: Reach): string | null {
  if (scopes.length === 0) return null;
  const without = except.length === 0 ? "" : ` except ${list(except.map(categoryWords))}`;
  return `${list(scopes.map(categoryWords))}${without}`;
}
