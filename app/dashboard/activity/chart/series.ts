import type { DayCount } from "@/lib/services/activity/counts/count-by-day";
import type { CategoryCount } from "@/lib/services/activity/counts/count-categories";
import { categoryTitle } from "../../../_components/words/category";
import type { DaySeries } from "./bars";

interface Counted {
  day: string;
}

const kinds = [
  ["reads", { name: "Reads", noun: ["read", "reads"], look: "filled" }],
  ["proposals", { name: "Proposals", noun: ["proposal", "proposals"], look: "outlined" }],
  ["refused", { name: "Refused", noun: ["request refused", "requests refused"], look: "refused" }],
] as const;

/** Reads and proposals of all agents, and what was refused. */
export function seriesByKind(days: readonly string[], counts: readonly DayCount[]): DaySeries[] {
  return kinds.map(([of, kind]) => ({
    ...kind,
    counts: countsPerDay(days, counts, (count) => count[of]),
  }));
}

/** How many items of each category agents read, the most read first; the rest in one series. */
export function seriesByCategory(
  days: readonly string[],
  counts: readonly CategoryCount[],
): { category: string | null; series: DaySeries }[] {
  return [...new Set(counts.map(({ category }) => category))].map((category) => ({
    category,
    series: {
      name: category === null ? "Other categories" : categoryTitle(category),
      noun: ["item", "items"],
      look: "filled",
      counts: countsPerDay(
        days,
        counts.filter((count) => count.category === category),
        ({ items }) => items,
      ),
    },
  }));
}

function countsPerDay<C extends Counted>(
  days: readonly string[],
  counts: readonly C[],
  of: (count: C) => number,
): number[] {
  const sums = new Map<string, number>();
  for (const count of counts) sums.set(count.day, (sums.get(count.day) ?? 0) + of(count));
  return days.map((day) => sums.get(day) ?? 0);
}
