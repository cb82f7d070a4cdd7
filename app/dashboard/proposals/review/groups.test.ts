import { expect, test } from "vitest";
import type { InboxCard } from "./card/card-data";
import { groupsOf, isDecidable } from "./groups";

function card(id: string, agent: string, kind: string): InboxCard {
  const at = new Date(0);
  const text = { content: id, context: null, category: kind, confidence: 1 };
  return { id, agent, kind, ...text, proposedAt: at, expiresAt: at, likeness: undefined };
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

const group = { key: "iris", cards: cards.slice(0, 2) };
const all = new Set(["a", "b"]);

test.each([
  ["once each of its cards was looked at", { count: 2, seen: all, plain: 2 }, true],
  ["not while one was not", { count: 2, seen: new Set(["a"]), plain: 2 }, false],
  ["not while more of it wait than are listed", { count: 3, seen: all, plain: 2 }, false],
  ["not where all of it is sensitive", { count: 2, seen: all, plain: 0 }, false],
])("a group is decided at once %s", (_title, known, result) => {
  expect(isDecidable(group, known)).toBe(result);
});
