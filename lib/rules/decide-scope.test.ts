import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Scope } from "@/lib/protocol/scope";
import { answerAccess } from "./access";
import { decideEach } from "./decide";
import { decideScopes } from "./decide-scope";
import type { Facts, Permission } from "./facts";
import { consult } from "./testing/oracle";
import { categories, randomFacts, randomScope } from "./testing/random-facts";
import { factsOf, policyOf, receiptOf } from "./testing/samples";

function decideScope(
  facts: Facts,
  { permission, scope }: { permission: Permission; scope: Scope },
) {
  const [decision] = decideScopes(facts, { permission, scopes: [scope] });
  if (decision === undefined) throw new Error("no decision");
  return decision;
}

describe("a scope is granted when its base is and nothing in it is left asking", () => {
  const open = factsOf({
    policies: [policyOf({ allow: ["prof:*"], deny: ["prof:health"] })],
  });
  const language = factsOf({ policies: [policyOf({ allow: ["prof:preferences.language"] })] });
  const template = factsOf({ policies: [policyOf({ allow: ["prof:*"], origin: "template" })] });
  const capped = factsOf({
    policies: [policyOf({ allow: ["prof:*"] })],
    agent: { ceiling: ["prof:preferences"] },
  });
  const nobody = factsOf({ policies: [policyOf({ deny: ["prof:*"] })] });
  it.each([
    ["a denied category is cut out of the wildcard", open, "prof:*", "granted", ["prof:health"]],
    ["and is itself denied", open, "prof:health.*", "denied", []],
    ["with all below it", open, "prof:health.allergies", "denied", []],
    ["what no rule names goes with the wildcard", open, "prof:unheard.of", "granted", []],
    [
      "a granted child does not grant its parent",
      language,
      "prof:preferences",
      "consent_required",
      [],
    ],
    ["but itself", language, "prof:preferences.language", "granted", []],
    [
      "sensitive categories still ask, so the wildcard does",
      template,
      "prof:*",
      "consent_required",
      [],
    ],
    ["a category by itself does not", template, "prof:preferences.*", "granted", []],
    ["nothing beyond the ceiling", capped, "prof:*", "denied", []],
    ["all within the ceiling", capped, "prof:preferences", "granted", []],
    ["a denied wildcard", nobody, "prof:*", "denied", []],
    ["no policies at all", factsOf(), "prof:*", "consent_required", []],
  ])("%s", (_title, facts, scope, outcome, except) => {
    expect(decideScope(facts, { permission: "read", scope })).toMatchObject({
      scope,
      outcome,
      except,
    });
  });

  it("it tells whether a part is granted even so", () => {
    const hasGranted = (facts: typeof open, scope: string) =>
      decideScope(facts, { permission: "read", scope }).hasGranted;
    expect(hasGranted(language, "prof:preferences")).toBe(true);
    expect(hasGranted(language, "prof:*")).toBe(true);
    expect(hasGranted(capped, "prof:*")).toBe(true);
    expect(hasGranted(template, "prof:*")).toBe(true);
    expect(hasGranted(language, "prof:health")).toBe(false);
    expect(hasGranted(open, "prof:health")).toBe(false);
  });

  it("it answers in the order asked", () => {
    const scopes = ["prof:health", "prof:*", "prof:episodic"];
    const answers = decideScopes(open, { permission: "read", scopes });
    expect(answers.map(({ scope }) => scope)).toEqual(scopes);
  });
});

it("no granted scope holds a category that would ask, nor hides one that is cut out", () => {
  fc.assert(
    fc.property(randomFacts, randomScope, (facts, scope) => {
      const decision = decideScope(facts, { permission: "read", scope });
      const inside = everyCategoryIn(scope).map((category) => ({
        category,
        ...consult(facts, "read", category),
      }));
      if (decision.outcome === "granted") {
        for (const { category, outcome } of inside) {
          expect(outcome).not.toBe("consent_required");
          const isCut = decision.except.some(
            (cut) => cut === category || category.startsWith(`${cut}.`),
          );
          expect(isCut).toBe(outcome === "denied");
        }
      }
      // Nothing may be granted inside a scope that says there is nothing.
      if (!decision.hasGranted) {
        for (const { outcome } of inside) expect(outcome).not.toBe("granted");
      }
    }),
    { numRuns: 10_000, seed: 7 },
  );
}, 120_000);

it("what is granted under a declared purpose can be read under the receipt that answers it", () => {
  fc.assert(
    fc.property(
      randomFacts,
      fc.array(randomScope, { minLength: 1, maxLength: 4 }),
      (facts, scopes) => {
        const purpose = facts.purpose ?? { type: "analysis", retention: "24h" };
        const answer = answerAccess({ ...facts, purpose }, scopes);
        const receipt = receiptOf({
          grantedScopes: answer.grantedScopes,
          purposeType: purpose.type,
          retention: purpose.retention ?? null,
          grantedAt: facts.now,
          expiresAt: answer.expiresAt,
        });
        const later = { ...facts, purpose: null, receipts: [receipt] };
        const decideLater = decideEach(later, "read");
        const decideAsked = decideEach({ ...facts, purpose }, "read");
        for (const scope of answer.grantedScopes) {
          for (const category of everyCategoryIn(scope)) {
            expect(decideLater(category).outcome).toBe(decideAsked(category).outcome);
          }
        }
        expect(answer.expiresAt.getTime()).toBeGreaterThan(facts.now.getTime());
      },
    ),
    { numRuns: 10_000, seed: 11 },
  );
}, 120_000);

function everyCategoryIn(scope: string): string[] {
  const base = scope.replace(/\.?\*$/, "");
  return [
    ...categories,
    "prof:health.unheard",
    "prof:preferences.language.of.none",
    "prof:none",
  ].filter(
    (category) => category === base || category.startsWith(base.endsWith(":") ? base : `${base}.`),
  );
}
