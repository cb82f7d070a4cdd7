import { expect, test } from "vitest";
import type { ScopePreview } from "@/lib/services/access/sight/preview";
import { shownParts } from "./shown-parts";

const none = { memories: 0, values: 0 };
const scope = (nth: number): ScopePreview => ({
  ...{
    scope: `prof:c${nth}`,
    opens: true,
    isLocked: false,
    memories: 3,
    values: 0,
    already: none,
    within: [],
  },
  first: ["a", "b", "c"].map((letter) => ({
    ...{ id: `${letter}${nth}`, kind: "memory", category: `prof:c${nth}`, name: null },
    ...{ governed: `prof:c${nth}`, value: letter.repeat(500), createdAt: "2026-11-24T14:05:00Z" },
  })),
  closed: [
    {
      ...{ kind: "memory", category: `prof:c${nth}.d`, names: [], items: 1 },
      decision: {
        outcome: "denied",
        reason: { rule: "ceiling", policyId: null, receiptId: null },
      },
    },
  ],
});
const shown = (count: number) => {
  const scopes = Array.from({ length: count }, (_, nth) => scope(nth));
  return shownParts({ scopes, policies: [], rest: [], restCounts: none }, "UTC");
};

test("shows the first of each part of a usual request, each on one line", () => {
  expect(shown(3).map(({ items, closed }) => [items.length, closed.lines.length])).toEqual([
    [3, 1],
    [3, 1],
    [3, 1],
  ]);
  expect(shown(1)[0]?.items[0]?.text).toBe(`${"a".repeat(160)}…`);
});

test("shows of the longest request what fits on one page, and counts the rest", () => {
  const parts = shown(50);
  const texts = parts.flatMap(({ items }) => items.map(({ text }) => text));
  expect(texts.join("").length).toBeLessThan(3_500);
  const lines = parts.flatMap(({ closed }) => closed.lines);
  const more = parts.reduce((sum, { closed }) => sum + closed.more, 0);
  expect([lines.length, more]).toEqual([5, 45]);
});
