import fc from "fast-check";
import { expect, it } from "vitest";
import { decideEach } from "./decide";
import { reveal } from "./reveal";
import { consult } from "./testing/oracle";
import { categories, randomFacts, randomScope } from "./testing/random-facts";

type Value = { canary: string; governedBy: string[]; item: string };

// Every value is a canary of its own; beside each stands what governs it, worked out by hand.
const values: Value[] = [];
// What lies in one item counts once.
const canaryIn = (item: string | null, ...governedBy: string[]) => {
  const mark = `canary-${values.length}-`;
  values.push({ canary: mark, governedBy, item: item ?? mark });
  return mark;
};
const canary = (...governedBy: string[]) => canaryIn(null, ...governedBy);

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
    health: [
      canaryIn("health", "prof:health"),
      { allergies: canaryIn("health", "prof:health.allergies") },
      [{ Allergies: { food: [canaryIn("health", "prof:health.allergies.food")] } }],
      { allergies: [{ food: canaryIn("health", "prof:health.allergies.food") }] },
      { "a b": { allergies: canaryIn("health", "prof:health") } },
    ],
    healthy: { allergies: canary("prof:healthy.allergies") },
    "not a name": canary("prof:*"),
  },
  namedValues: ["prof:health", "prof:health.allergies", "prof:preferences"].flatMap((category) =>
    ["allergies", "food", "language", "travel"].map((name) => {
      const exact = `${category}.${name}`;
      const inside = (...names: string[]) =>
        canaryIn(exact, category, exact, ...names.map((one) => `${exact}.${one}`));
      const value = {
        deep: inside(),
        Food: inside("food"),
        list: [{ seat: inside("list") }, { deep: inside("list", "list.deep") }],
        seat: [inside("seat"), { is: inside("seat", "seat.is") }],
      };
      return { category, name, value };
    }),
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
      const granted = new Set<string>();
      for (const { canary, governedBy, item } of values) {
        const isGranted = governedBy.every(
          (category) => consult(facts, "read", category).outcome === "granted",
        );
        if (bytes.includes(canary) !== isGranted) return false;
        if (isGranted) granted.add(item);
      }
      passed += granted.size;
      return sum(counts) === granted.size;
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
      for (const { canary, governedBy } of values) {
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
