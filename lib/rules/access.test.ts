import { describe, expect, it } from "vitest";
import { answerAccess, consentExpiresAt } from "./access";
import { factsOf, now, policyOf, secondsFromNow } from "./testing/samples";

const day = 86_400;

describe("a request for access is answered scope by scope", () => {
  it("what is not granted is denied, and what is not explicitly denied can be asked for", () => {
    const facts = factsOf({
      policies: [policyOf({ allow: ["prof:preferences"], deny: ["prof:health"] })],
    });
    const scopes = ["prof:preferences", "prof:health.*", "prof:interests"];
    expect(answerAccess(facts, scopes)).toMatchObject({
      grantedScopes: ["prof:preferences"],
      deniedScopes: ["prof:health.*", "prof:interests"],
      askingScopes: ["prof:interests"],
    });
  });

  it("a policy that only lets agents propose grants no scope", () => {
    const facts = factsOf({
      policies: [policyOf({ allow: ["prof:preferences"], permissions: ["propose"] })],
    });
    expect(answerAccess(facts, ["prof:preferences"]).grantedScopes).toEqual([]);
  });

  it("the owner is not asked for what no consent could give", () => {
    const facts = factsOf({ agent: { ceiling: ["prof:preferences"] } });
    expect(answerAccess(facts, ["prof:health"])).toMatchObject({
      deniedScopes: ["prof:health"],
      askingScopes: [],
    });
  });
});

describe("deniedScopes names what is cut out of a granted scope", () => {
  const all = policyOf({ id: "pol_all", allow: ["prof:*"] });
  it.each([
    ["as its rule spells it, sorted", ["prof:health.*", "prof:financial"], ["prof:*"]],
    ["not what lies below it", ["prof:health.*", "prof:financial", "prof:health.x"], ["prof:*"]],
    [
      "once for several scopes",
      ["prof:health.*", "prof:financial"],
      ["prof:*", "prof:a", "prof:*"],
    ],
  ])("%s", (_title, deny, scopes) => {
    const facts = factsOf({ policies: [all, policyOf({ id: "pol_deny", deny })] });
    expect(answerAccess(facts, scopes)).toMatchObject({
      deniedScopes: ["prof:financial", "prof:health.*"],
      askingScopes: [],
      reasons: { "prof:health.*": { rule: "deny", policyId: "pol_deny" } },
    });
  });

  it("nothing where the scope lies beside it or is itself denied", () => {
    const facts = factsOf({ policies: [all, policyOf({ deny: ["prof:health.*"] })] });
    expect(answerAccess(facts, ["prof:a"]).deniedScopes).toEqual([]);
    const both = answerAccess(facts, ["prof:*", "prof:health"]);
    expect(both.deniedScopes).toEqual(["prof:health"]);
  });

  it("at most 100 of them", () => {
    const deny = Array.from({ length: 300 }, (_, at) => `prof:d${at}`);
    const facts = factsOf({ policies: [all, policyOf({ deny })] });
    expect(answerAccess(facts, ["prof:*"]).deniedScopes).toHaveLength(100);
  });
});

describe("a receipt lives 24 hours, or shorter where a policy says so", () => {
  const preferences = policyOf({ id: "pol_a", allow: ["prof:preferences"] });
  const interests = policyOf({ id: "pol_b", allow: ["prof:interests"] });
  it.each([
    ["no policy says so", [preferences, interests], day],
    ["one says so", [preferences, { ...interests, receiptSeconds: 60 }], 60],
    [
      "the shortest of two",
      [
        { ...preferences, receiptSeconds: 50 },
        { ...interests, receiptSeconds: 60 },
      ],
      50,
    ],
    [
      "never past the end of the policy",
      [preferences, { ...interests, expiresAt: secondsFromNow(90) }],
      90,
    ],
    [
      "a longer policy does not lengthen it",
      [preferences, { ...interests, expiresAt: secondsFromNow(9 * day) }],
      day,
    ],
    [
      "a policy that grants nothing asked has no say",
      [
        preferences,
        interests,
        policyOf({ id: "pol_c", allow: ["prof:health"], receiptSeconds: 1 }),
      ],
      day,
    ],
  ])("%s", (_title, policies, seconds) => {
    const { expiresAt } = answerAccess(factsOf({ policies }), [
      "prof:preferences",
      "prof:interests",
    ]);
    expect(expiresAt).toEqual(secondsFromNow(seconds));
  });
});

it.each([
  ["once", secondsFromNow(15 * 60)],
  ["1d", secondsFromNow(day)],
  ["7d", secondsFromNow(7 * day)],
  ["30d", secondsFromNow(30 * day)],
  ["until_revoked", null],
] as const)("consent for %s ends then", (choice, expected) => {
  expect(consentExpiresAt(choice, now)).toEqual(expected);
});
