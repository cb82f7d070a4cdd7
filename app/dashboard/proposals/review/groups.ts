import type { InboxCard, Known } from "./card/card-data";
import { isFlagged } from "./card/second-act";

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

/** Whether a card may be decided with others: nothing about it asks for a decision of its own. */
export function isPlain(card: InboxCard, known: Known): boolean {
  const isSensitive = known.categories[card.category]?.sensitive != null;
  return !isSensitive && !isFlagged(card, known) && card.likeness?.kind !== "unread";
}

interface Progress {
  /** How many wait in the group, those too that are not listed yet. */
  count: number;
  listed: number;
  looked: number;
  /** How many of the listed ones may be decided together. */
  plain: number;
}

/** Says what is missing before a group may be decided at once; null where nothing is. */
export function missingWords({ count, listed, looked, plain }: Progress): string | null {
  if (plain === 0) return "Each of these takes a decision of its own.";
  if (listed < count) {
    return `${listed} of ${count} are listed so far. You can decide them together once all of them are.`;
  }
  return looked < count
    ? `Look at each of them first: ${looked} of ${count} so far. Then you can decide them together.`
    : null;
}
