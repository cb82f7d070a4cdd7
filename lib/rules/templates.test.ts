import { describe, expect, it } from "vitest";
import { decide } from "./decide";
import type { Permission } from "./facts";
import { defaultTemplate, type TemplateName, templates } from "./templates";
import { factsOf, policyOf } from "./testing/samples";

const granted = "granted";
const asks = "consent_required";

describe("what each template grants", () => {
  it.each<[TemplateName, "verified" | "unverified", Permission, string, string]>([
    ["balanced", "unverified", "propose", "prof:episodic", granted],
    ["balanced", "unverified", "propose", "prof:anything.else", granted],
    ["balanced", "unverified", "propose", "prof:health", asks],
    ["balanced", "unverified", "propose", "prof:health.allergies", asks],
    ["balanced", "verified", "propose", "prof:financial", asks],
    ["balanced", "verified", "propose", "prof:relationships", asks],
    ["balanced", "verified", "propose", "prof:identity", asks],
    ["balanced", "unverified", "read", "prof:preferences", asks],
    ["balanced", "verified", "read", "prof:preferences", granted],
    ["balanced", "verified", "read", "prof:preferences.language", granted],
    ["balanced", "verified", "read", "prof:episodic", asks],
    ["balanced", "verified", "read", "prof:identity", asks],
    ["private", "verified", "read", "prof:preferences", asks],
    ["private", "verified", "propose", "prof:preferences", asks],
    ["open", "unverified", "read", "prof:episodic", granted],
    ["open", "unverified", "propose", "prof:episodic", granted],
    ["open", "verified", "read", "prof:health", asks],
    ["open", "verified", "propose", "prof:identity.name", asks],
  ])("%s, %s agent, %s %s: %s", (name, standing, permission, category, outcome) => {
    const policies = templates[name].policies.map((draft, index) =>
      policyOf({ id: `pol_${index}`, ...draft }),
    );
    const facts = factsOf({ policies, agent: { verified: standing === "verified" } });
    expect(decide(facts, { permission, category }).outcome).toBe(outcome);
  });
});

it("under every template the owner can still consent to what is sensitive", () => {
  for (const { policies } of Object.values(templates)) {
    const consent = policyOf({ id: "pol_consent", allow: ["prof:health"], origin: "consent" });
    const facts = factsOf({ policies: [...policies.map((draft) => policyOf(draft)), consent] });
    const decision = decide(facts, { permission: "read", category: "prof:health" });
    expect(decision).toMatchObject({ outcome: granted, reason: { policyId: "pol_consent" } });
  }
});

it("new profiles start balanced", () => {
  expect(defaultTemplate).toBe("balanced");
});
