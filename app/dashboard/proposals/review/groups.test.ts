import { expect, test } from "vitest";
import type { InboxCard } from "./card/card-data";
import { groupsOf, missingWords } from "./groups";

function card(id: string, agent: string, kind: string): InboxCard {
  const at = new Date(0);
  const text = {
    content: id,
    context: null,
    category: kind,
    confidence: 1,
    inquiry: null,
    flags: [],
  };
  return {
    id,
    agent,
    kind,
    ...text,
    proposedAt: at,
    expiresAt: at,
    likeness: undefined,
    line: undefined,
    imported: null,
  };
}

const cards = [card("a", "iris", "food"), card("b", "nova", "food"), card("c", "iris", "music")];

test.each([
  ["agent", "iris: ac, nova: b"],
  ["kind", "food: ab, music: c"],
  ["time", ": abc"],
] as const)("by %s, each group is where its first card is", (by, result) => {
  const groups = groupsOf(cards, by).map(
    (group) => `${group.key}: ${group.cards.map(({ id }) => id).join("")}`,
  );
  expect(groups.join(", ")).toBe(result);
});

const ready = { count: 3, listed: 3, looked: 3, plain: 2 };

test.each([
  ["once each of its cards was looked at", {}, null],
  [
    "not while one was not",
    { looked: 1 },
    "Look at each of them first: 1 of 3 so far. Then you can decide them together.",
  ],
  [
    "not while more of it wait than are listed",
    { count: 140, listed: 100, looked: 100 },
    "100 of 140 are listed so far. You can decide them together once all of them are.",
  ],
  [
    "not where each of it takes a decision of its own",
    { plain: 0 },
    "Each of these takes a decision of its own.",
  ],
])("a group is decided at once %s", (_title, known, words) => {
  expect(missingWords({ ...ready, ...known })).toBe(words);
});
