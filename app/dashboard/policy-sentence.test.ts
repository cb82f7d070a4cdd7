import { expect, test } from "vitest";
import { everyAgent } from "@/lib/rules/agent-pattern";
import type { PolicyLine } from "@/lib/services/overview";
import { policySentence } from "./policy-sentence";

const bare: PolicyLine = {
  id: "pol_1",
  agentPattern: everyAgent,
  verifiedOnly: false,
  allow: [],
  deny: [],
  permissions: ["read"],
  purposes: [],
  maxRetention: null,
  expiresAt: null,
  origin: "owner",
};

const cases: [Partial<PolicyLine>, string][] = [
  [
    { allow: ["prof:preferences"], verifiedOnly: true, origin: "template" },
    "Verified agents may read preferences.",
  ],
  [
    { allow: ["prof:*"], permissions: ["propose"], origin: "template" },
    "All agents may propose everything, except health, money matters, relationships and identity.",
  ],
  [{ allow: ["prof:*"] }, "All agents may read everything."],
  [
    { allow: ["prof:episodic.*", "prof:music"], permissions: ["propose", "read"] },
    "All agents may read and propose episodes and music.",
  ],
  [{ deny: ["prof:health"] }, "No agent may touch health."],
  [{ deny: ["prof:health"], verifiedOnly: true }, "Verified agents may not touch health."],
  [
    {
      agentPattern: "did:prof:agent:local:iris",
      allow: ["prof:professional"],
      deny: ["prof:professional.pay"],
      purposes: ["service_delivery"],
      maxRetention: "7d",
      expiresAt: new Date("2030-01-31T00:00:00Z"),
    },
    "did:prof:agent:local:iris may read professional facts, except professional facts › pay for service delivery when kept no longer than 7d until 2030-01-31.",
  ],
];

test.each(cases)("%o", (policy, sentence) => {
  expect(policySentence({ ...bare, ...policy })).toBe(sentence);
});
