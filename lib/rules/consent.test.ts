import { describe, expect, test } from "vitest";
import { agentDid } from "@/lib/protocol/did";
import { consentPolicy, factsAfterConsent } from "./consent";
import { decide } from "./decide";
import type { Facts } from "./facts";

const did = agentDid("local", "iris");
const now = new Date("2026-03-01T12:00:00Z");
const input = { agentDid: did, purposeType: "personalization", retention: "7d" };
const facts: Facts = {
  agent: { did, verified: false, ceiling: ["prof:*"] },
  policies: [],
  receipts: [],
  token: null,
  purpose: null,
  now,
};

describe("a consent", () => {
  test("is a policy for that agent and purpose, to read and no more", () => {
    expect(consentPolicy(input, { scopes: ["prof:interests"], expiresAt: null })).toMatchObject({
      agentPattern: did,
      allow: ["prof:interests"],
      permissions: ["read"],
      purposes: ["personalization"],
      maxRetention: "7d",
      origin: "consent",
    });
  });

  test.each([
    ["7d", "24h", true],
    ["7d", "1y", false],
    ["1_day", "1_day", true],
    ["1_day", "24h", false],
    ["1_day", "indefinite", false],
    ["1_day", undefined, false],
    [null, undefined, true],
  ])(
    "to keep data %s long opens nothing to an agent that keeps it longer: %s, %s",
    (retention, declared, isOpen) => {
      const consent = consentPolicy(
        { ...input, retention },
        { scopes: ["prof:interests"], expiresAt: null },
      );
      const policies = [{ ...consent, id: "pol_consent", enabled: true }];
      const purpose = { type: input.purposeType, retention: declared };
      const given = { ...facts, policies, purpose };
      const { outcome } = decide(given, { permission: "read", category: "prof:interests" });
      expect(outcome).toBe(isOpen ? "granted" : "consent_required");
    },
  );
});

describe("facts after a consent", () => {
  const reads = (given: Facts, category: string) =>
    decide(given, { permission: "read", category }).outcome;

  test("grants what is consented to, and only that", () => {
    const after = factsAfterConsent(facts, { consent: input, scopes: ["prof:interests"] });
    expect(reads(facts, "prof:interests")).toBe("consent_required");
    expect(reads(after, "prof:interests.music")).toBe("granted");
    expect(reads(after, "prof:health")).toBe("consent_required");
    expect(decide(after, { permission: "propose", category: "prof:interests" }).outcome).toBe(
      "consent_required",
    );
  });

  test("leaves every deny and ceiling in force", () => {
    const deny = consentPolicy(input, { scopes: [], expiresAt: null });
    const denying = { ...deny, id: "pol_deny", enabled: true, deny: ["prof:interests.music"] };
    const capped = { ...facts.agent, ceiling: ["prof:interests"] };
    const given = { ...facts, agent: capped, policies: [denying] };
    const after = factsAfterConsent(given, {
      consent: input,
      scopes: ["prof:interests", "prof:health"],
    });
    expect(reads(after, "prof:interests")).toBe("granted");
    expect(reads(after, "prof:interests.music")).toBe("denied");
    expect(reads(after, "prof:health")).toBe("denied");
  });

  test("is the same as before where nothing is consented to", () => {
    expect(factsAfterConsent(facts, { consent: input, scopes: [] })).toBe(facts);
  });
});
