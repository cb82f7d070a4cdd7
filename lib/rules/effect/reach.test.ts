import fc from "fast-check";
import { expect, it, test } from "vitest";
import { covers } from "@/lib/protocol/scope";
import { decideEach } from "../decide";
import { categories, randomFacts } from "../testing/random-facts";
import { factsOf, policyOf, receiptOf } from "../testing/samples";
import { type Reach, reach } from "./reach";

const all = policyOf({ allow: ["prof:*"] });
const sensitive = ["prof:health", "prof:financial", "prof:relationships", "prof:identity"];

test.each([
  ["no policy", factsOf(), [], []],
  ["everything", factsOf({ policies: [all] }), ["prof:*"], []],
  [
    "a template's everything stops short of what is sensitive",
    factsOf({ policies: [policyOf({ allow: ["prof:*"], origin: "template" })] }),
    ["prof:*"],
    sensitive,
  ],
  [
    "what is allowed again inside what is denied above does not count",
    factsOf({ policies: [all, policyOf({ deny: ["prof:health"], allow: ["prof:health.sleep"] })] }),
    ["prof:*"],
    ["prof:health"],
  ],
  [
    "a ceiling",
    factsOf({ policies: [all], agent: { ceiling: ["prof:preferences"] } }),
    ["prof:preferences"],
    [],
  ],
  [
    "a purpose without a receipt opens nothing",
    factsOf({ policies: [policyOf({ allow: ["prof:interests"], purposes: ["analysis"] })] }),
    [],
    [],
  ],
  [
    "a purpose with a receipt opens what the receipt is for",
    factsOf({
      policies: [policyOf({ allow: ["prof:*"], purposes: ["personalization"] })],
      receipts: [receiptOf({ grantedScopes: ["prof:interests.music"] })],
    }),
    ["prof:interests.music"],
    [],
  ],
])("%s", (_case, facts, scopes, except) => {
  expect(reach(facts, "read")).toEqual({ scopes, except });
});

it("says of each category what the decision says, on random policy sets", () => {
  fc.assert(
    fc.property(randomFacts, fc.constantFrom("read" as const, "propose" as const), (facts, may) => {
      const decide = decideEach(facts, may);
      const reached = reach(facts, may);
      return [...categories, "prof:named.nowhere"].every(
        (category) => isIn(reached, category) === (decide(category).outcome === "granted"),
      );
    }),
    { numRuns: 10_000, seed: 7 },
  );
});

// The nearest word above a category counts.
function isIn({ scopes, except }: Reach, category: string): boolean {
  const depth = (scope: string) => (scope === "prof:*" ? 0 : scope.split(".").length);
  const nearest = (list: readonly string[]) =>
    Math.max(-1, ...list.filter((scope) => covers(scope, category)).map(depth));
  return nearest(scopes) > nearest(except);
}
