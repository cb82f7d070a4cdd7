import { describe, expect, it } from "vitest";
import type { Facts } from "./facts";
import { ask, type Case, table } from "./testing/matrix";
import { factsOf, iris, now, policyOf, receiptOf, secondsFromNow } from "./testing/samples";

const readsAll = policyOf({ id: "pol_all", allow: ["prof:*"] });
const deniesHealth = policyOf({ id: "pol_health", deny: ["prof:health"], permissions: [] });
const forPersonalization = policyOf({
  id: "pol_purpose",
  allow: ["prof:preferences"],
  purposes: ["personalization", "support"],
});
const forAWeek = policyOf({ id: "pol_week", allow: ["prof:preferences"], maxRetention: "7d" });

describe("an allow with purposes grants only under a live receipt of that agent for one of them", () => {
  const under = (parts: Parameters<typeof receiptOf>[0], policy = forPersonalization) =>
    factsOf({ policies: [policy], receipts: [receiptOf(parts)] });
  const shortReceipts = policyOf({ ...forPersonalization, receiptSeconds: 3_600 });
  const yes = "granted by allow_for_purpose";
  const no = "consent_required by needs_purpose";
  const cases: [string, Facts, Case[3]][] = [
    ["no receipt", factsOf({ policies: [forPersonalization] }), no],
    ["a live receipt", under({}), yes],
    ["for another of its purposes", under({ purposeType: "support" }), yes],
    ["for no purpose of its", under({ purposeType: "research" }), no],
    ["of another agent", under({ agentDid: `${iris}2` }), no],
    ["expired this instant", under({ expiresAt: now }), no],
    ["revoked", under({ revokedAt: secondsFromNow(-1) }), no],
    ["covering the category", under({ grantedScopes: ["prof:preferences.*"] }), yes],
    ["covering a child only", under({ grantedScopes: ["prof:preferences.language"] }), no],
    ["covering another category", under({ grantedScopes: ["prof:health"] }), no],
    ["older than its policy lets receipts be", under({}, shortReceipts), no],
    ["young enough", under({ grantedAt: secondsFromNow(-3_599) }, shortReceipts), yes],
    [
      "one good receipt among others",
      factsOf({
        policies: [forPersonalization],
        receipts: [receiptOf({ expiresAt: now }), receiptOf({ id: "rcpt_2" })],
      }),
      yes,
    ],
    [
      "a policy without purposes needs no receipt",
      factsOf({ policies: [forPersonalization, readsAll] }),
      "granted by allow",
    ],
  ];
  table(cases.map(([title, facts, expected]) => [title, facts, "read prof:preferences", expected]));

  it("a receipt grants nothing that no policy allows", () => {
    const facts = under({ grantedScopes: ["prof:*"] });
    expect(ask(facts, "read prof:health").outcome).toBe("consent_required");
  });
});

describe("a request for access stands on the purpose it declares", () => {
  const asking = (type: string, retention?: string) => ({ purpose: { type, retention } });
  const yes = "granted by allow_for_purpose";
  const no = "consent_required by needs_purpose";
  const cases: [string, Facts, Case[3]][] = [
    ["one of the purposes", factsOf({ policies: [forPersonalization], ...asking("support") }), yes],
    ["another purpose", factsOf({ policies: [forPersonalization], ...asking("research") }), no],
    [
      "a receipt for the right purpose does not stand in for it",
      factsOf({ policies: [forPersonalization], receipts: [receiptOf()], ...asking("research") }),
      no,
    ],
    [
      "kept shorter than the most",
      factsOf({ policies: [forAWeek], ...asking("other", "24h") }),
      yes,
    ],
    ["kept just as long", factsOf({ policies: [forAWeek], ...asking("other", "7d") }), yes],
    ["kept longer", factsOf({ policies: [forAWeek], ...asking("other", "30d") }), no],
    ["kept for an unknown time", factsOf({ policies: [forAWeek], ...asking("other", "8d") }), no],
    ["kept for no declared time", factsOf({ policies: [forAWeek], ...asking("other") }), no],
    [
      "a limit that nobody can rank never matches",
      factsOf({
        policies: [policyOf({ allow: ["prof:*"], maxRetention: "fortnight" })],
        ...asking("other", "session_only"),
      }),
      no,
    ],
  ];
  table(cases.map(([title, facts, expected]) => [title, facts, "read prof:preferences", expected]));
});

describe("a limit on retention holds for what a receipt declared", () => {
  const kept = (retention: string | null) =>
    factsOf({ policies: [forAWeek], receipts: [receiptOf({ retention })] });
  table([
    ["short enough", kept("24h"), "read prof:preferences", "granted by allow_for_purpose"],
    ["too long", kept("1y"), "read prof:preferences", "consent_required by needs_purpose"],
    ["unknown", kept("8d"), "read prof:preferences", "consent_required by needs_purpose"],
    ["undeclared", kept(null), "read prof:preferences", "consent_required by needs_purpose"],
    [
      "no receipt at all",
      factsOf({ policies: [forAWeek] }),
      "read prof:preferences",
      "consent_required by needs_purpose",
    ],
  ]);
});

it("every decision names the policy and the receipt it rests on", () => {
  const facts = factsOf({
    policies: [forPersonalization, deniesHealth],
    receipts: [receiptOf({ expiresAt: now }), receiptOf({ id: "rcpt_2" })],
  });
  expect(ask(facts, "read prof:preferences").reason).toEqual({
    rule: "allow_for_purpose",
    policyId: "pol_purpose",
    receiptId: "rcpt_2",
  });
  expect(ask(facts, "read prof:health").reason).toEqual({
    rule: "deny",
    policyId: "pol_health",
    receiptId: null,
  });
  expect(ask({ ...facts, receipts: [] }, "read prof:preferences").reason).toEqual({
    rule: "needs_purpose",
    policyId: "pol_purpose",
    receiptId: null,
  });
});
