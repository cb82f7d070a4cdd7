import type { InboxCard } from "./card/card-data";

export const groupings = ["agent", "kind", "time"] as const;
export type Grouping = (typeof groupings)[number];

export interface Group {
  /** An agent's DID or the root of a category; empty where all are in one list. */
  key: string;
  cards: InboxCard[];
}

/** Cards under what they have in common, each group where its first card is. */
export function groupsOf(cards: readonly InboxCard[], by: Grouping): Group[] {
  const groups = new Map<string, InboxCard[]>();
  for (const card of cards) {
    const key = by === "time" ? "" : card[by];
    groups.set(key, [...(groups.get(key) ?? []), card]);
  }
  return Array.from(groups, ([key, members]) => ({ key, cards: members }));
}

/** Whether a group may be decided at once: all of it is here and was looked at, and some of it is not sensitive. */
export function isDecidable(
  { cards }: Group,
  { count, seen, plain }: { count: number; seen: ReadonlySet<string>; plain: number },
): boolean {
  return plain > 0 && cards.length === count && cards.every(({ id }) => seen.has(id));
}
