import type { Category } from "@/lib/protocol/scope";
import type { Resembling } from "@/lib/services/proposals/resembling";
import { categoryTitle, isSensitive } from "../../../_components/words/category";

/** A match in words: the browser need not know how they are found. */
export interface MatchView extends Omit<Resembling, "category"> {
  category: Category;
  title: string;
  isSensitive: boolean;
}

export function matchViews(resembling: readonly Resembling[]): MatchView[] {
  return resembling.map((one) => ({
    ...one,
    title: categoryTitle(one.category),
    isSensitive: isSensitive(one.category),
  }));
}
