import fc from "fast-check";
import { expect, it } from "vitest";
import { decideEach } from "./decide";
import { reveal } from "./reveal";
import { consult } from "./testing/oracle";
import { categories, randomFacts, randomScope } from "./testing/random-facts";

type Item = { canary: string; governedBy: string[] };

// Every value is a canary of its own; beside each stands what governs it, worked out by hand.
const items: Item[] = [];
const canary = (...governedBy: string[]) => {
  const mark = `canary-${items.length}-`;
  items.push({ canary: mark, governedBy });
  return mark;
};

const content = {
  common: {
    preferences: {
      language: canary("prof:preferences.language"),
      languages: [canary("prof:preferences.languages")],
      travel: {
        seat: canary("prof:preferences.travel.seat"),
        meal: { now: canary("prof:preferences.travel.meal.now") },
      },
      "favourite colour": { is: canary("prof:preferences") },
      "travel.seat": canary("prof:preferences.travel.seat"),
      "travel.a b": canary("prof:preferences.travel"),
    },
    health: canary("prof:health"),
    healthy: { allergies: canary("prof:healthy.allergies") },
    "not a name": canary("prof:*"),
  },
  namedValues: ["prof:health", "prof:health.allergies", "prof:preferences"].flatMap((category) =>
    ["allergies", "food", "language"].map((name) => ({
      category,
      name,
      value: { deep: canary(category, `${category}.${name}`) },
    })),
  ),
  memories: [...categories, ...categories, "prof:unheard.of"].map((category, index) => ({
    id: `mem_${index}`,
    category,
    content: canary(category),
  })),
};

it("no item outside the grant ever passes, and none inside it is kept back", () => {
  let passed = 0;
  fc.assert(
    fc.property(randomFacts, (facts) => {
      const { common, memories, counts } = reveal({
        content,
        decideCategory: decideEach(facts, "read"),
      });
      const bytes = JSON.stringify({ common, memories });
      let granted = 0;
      for (const { canary, governedBy } of items) {
        const isGranted = governedBy.every(
          (category) => consult(facts, "read", category).outcome === "granted",
        );
        if (bytes.includes(canary) !== isGranted) return false;
        if (isGranted) granted += 1;
      }
      passed += granted;
      return sum(counts) === granted;
    }),
    { numRuns: 10_000, seed: 13 },
  );
  expect(passed).toBeGreaterThan(10_000);
}, 120_000);

it("asking for scopes shows no more than asking for everything, and nothing beyond the scopes", () => {
  fc.assert(
    fc.property(randomFacts, fc.array(randomScope, { maxLength: 3 }), (facts, within) => {
      const decideCategory = decideEach(facts, "read");
      const all = JSON.stringify(reveal({ content, decideCategory }));
      const { common, memories, shown, hidden } = reveal({ content, decideCategory, within });
      const bytes = JSON.stringify({ common, memories });
      for (const { canary, governedBy } of items) {
        if (!bytes.includes(canary)) continue;
        if (!all.includes(canary)) return false;
        if (!governedBy.some((category) => within.some((scope) => lies(category, scope))))
          return false;
      }
      // What is told about the answer names and counts; it never quotes.
      return !JSON.stringify({ shown, hidden }).includes("canary-");
    }),
    { numRuns: 10_000, seed: 17 },
  );
}, 120_000);

function lies(category: string, scope: string): boolean {
  const stem = scope.replace(/\.\*$/, "");
  return scope === "prof:*" || category === stem || category.startsWith(`${stem}.`);
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
