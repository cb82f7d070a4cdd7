import { expect, test } from "vitest";
import type { Effect, Share } from "@/lib/rules/effect/effect";
import type { Affected, PolicyEffect } from "@/lib/services/policies/effect";
import { effectView } from "./effect-view";

const none: Share = { memories: 0, values: 0, categories: [], later: [], proposes: [] };

function viewOf(
  affected: Affected[],
  opens: PolicyEffect["opens"] = [],
  words: string | null = null,
) {
  const atOnce = { affected, uncompared: 0 };
  return effectView({ atOnce, onceAsked: null, opens }, words);
}

function lineOf(effect: Partial<Effect>) {
  const agent = { did: "did:prof:agent:local:iris", name: "Iris", verified: true };
  const { lines } = viewOf([{ agent, effect: { gains: none, loses: none, ...effect } }]).atOnce;
  return lines[0];
}

const many = Array.from({ length: 40 }, (_, nth) => `prof:category_${nth}`);

test.each<[string, Partial<Effect>, string | null, string | null, string]>([
  [
    "counts and names what is gained",
    { gains: { ...none, memories: 12, values: 1, categories: ["prof:interests"] } },
    "gains 12 memories and 1 value in Interests",
    null,
    "+13",
  ],
  [
    "tells what comes later, and what may be proposed",
    { gains: { ...none, later: ["prof:episodic"], proposes: ["prof:*"] } },
    "will read what comes to Episodes later; may propose memories in any category that no rule names",
    null,
    "",
  ],
  [
    "tells both sides of an edit",
    {
      gains: { ...none, memories: 1, categories: ["prof:interests"] },
      loses: { ...none, memories: 2, categories: ["prof:health"] },
    },
    "gains 1 memory in Interests",
    "loses 2 memories in Health",
    "+1 −2",
  ],
  [
    "names every category, however many",
    { gains: { ...none, memories: 40, categories: many } },
    `gains 40 memories in ${many.slice(0, -1).map(titled).join(", ")} and ${titled("prof:category_39")}`,
    null,
    "+40",
  ],
])("a line %s", (_title, effect, gains, loses, count) => {
  expect(lineOf(effect)).toMatchObject({ gains, loses, count });
});

function titled(category: string): string {
  return category.replace("prof:category_", "Category ");
}

test("agents that come later are told beside those of today", () => {
  const gains = { ...none, memories: 1, categories: ["prof:interests"] };
  const imagined: Affected["agent"] = {
    imagined: "verified",
    did: "did:prof:agent:imagined:verified",
    verified: true,
  };
  const { atOnce } = viewOf([{ agent: imagined, effect: { gains, loses: none } }]);
  expect(atOnce).toMatchObject({ gaining: 0, losing: 0 });
  expect(atOnce.lines.map(({ who }) => who)).toEqual([
    "Every verified agent, and every one that comes later",
  ]);
});

test("a broad rule names all that it opens, and counts what is sensitive", () => {
  const { broad } = viewOf(
    [],
    [
      { category: "prof:health", items: 5, isClosed: false },
      { category: "prof:identity", items: 7, isClosed: true },
      { category: "prof:interests", items: 3, isClosed: false },
    ],
    "everything",
  );
  expect(broad).toMatchObject({ words: "everything", sensitive: 5, more: 0 });
  expect(broad?.rows.map(({ title }) => title)).toEqual(["Health", "Identity", "Interests"]);
});

test("a line beside a broad rule counts the categories that the rule's frame names", () => {
  const agent = { did: "did:prof:agent:local:iris", name: "Iris", verified: true };
  const categories: Share["categories"] = ["prof:health", "prof:interests"];
  const gains: Share = {
    ...none,
    memories: 7,
    categories,
    later: ["prof:*"],
    proposes: ["prof:a"],
  };
  const { atOnce } = viewOf([{ agent, effect: { gains, loses: none } }], [], "everything");
  expect(atOnce.lines[0]?.gains).toBe(
    "gains 7 memories in 2 categories; will read what comes to any other category later; may propose memories in A",
  );
});
