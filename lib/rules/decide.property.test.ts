import fc from "fast-check";
import { expect, inject, it } from "vitest";
import { decideEach, type Rule } from "./decide";
import type { Permission } from "./facts";
import { consult } from "./testing/oracle";
import { categories, randomFacts } from "./testing/random-facts";

const permissions: Permission[] = ["read", "propose"];
// `prof:*` stands for every category that no rule names.
const input = [...categories, "prof:*", "prof:named.nowhere"];

const sets = inject("policySets");

it(`on ${sets} random policy sets no decision differs from the slow reading of the rules`, () => {
  const seen = new Map<Rule, number>();
  fc.assert(
    fc.property(randomFacts, (facts) => {
      for (const permission of permissions) {
        const decideCategory = decideEach(facts, permission);
        for (const category of input) {
          const { outcome, reason } = decideCategory(category);
          const expected = consult(facts, permission, category);
          seen.set(reason.rule, (seen.get(reason.rule) ?? 0) + 1);
          if (outcome !== expected.outcome) return false;
          if (outcome === "consent_required") continue;
          for (const id of [reason.policyId, reason.receiptId]) {
            if (id !== null && !expected.grounds.has(id)) return false;
          }
        }
      }
      return true;
    }),
    { numRuns: sets, seed: 5 },
  );
  // The sets are worth the name: each rule but the owner's settled many.
  expect(seen.size).toBe(10);
  for (const times of seen.values()) expect(times).toBeGreaterThan(sets / 10);
}, 120_000);
