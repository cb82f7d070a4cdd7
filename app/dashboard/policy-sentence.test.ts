import { expect, test } from "vitest";
import { everyAgent } from "@/lib/rules/facts";
import { type PolicyFacts, policySentence } from "./policy-sentence";

const bare: PolicyFacts = {
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

const cases: [Partial<PolicyFacts>, string][] = [
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
  [{ deny: ["prof:*"] }, "No agent may touch anything."],
  [{ deny: ["prof:health"], verifiedOnly: true }, "Verified agents may never touch health."],
  [
    {
      agentPattern: "did:prof:agent:local:iris",
      allow: ["prof:professional"],
      deny: ["prof:professional.pay"],
      purposes: ["service_delivery"],
      maxRetention: "7d",
      expiresAt: new Date("2030-01-30T23:30:00Z"),
    },
    "iris may read professional facts for service delivery when kept for 7 days at most, but never touch professional facts › pay, until 31 January 2030.",
  ],
  [
    {
      agentPattern: "did:prof:agent:local:iris",
      agent: { did: "did:prof:agent:local:iris", name: "Iris", verified: true },
      verifiedOnly: true,
      deny: ["prof:health"],
      purposes: ["analysis"],
    },
    "Iris, while verified, may never touch health.",
  ],
  [
    { allow: ["prof:interests"], purposes: ["analysis", "anything_you_like"] },
    "All agents may read interests for analysis and “anything_you_like”.",
  ],
  [
    { agentPattern: "did:prof:agent:acme:*", allow: ["prof:*"], maxRetention: "indefinite" },
    "All agents of acme may read everything when they say how long they keep it.",
  ],
  [
    {
      agentPattern: "did:prof:agent:a*:*",
      verifiedOnly: true,
      allow: ["prof:*"],
      deny: ["prof:health"],
    },
    "Verified agents that fit a*:* may read everything, but never touch health.",
  ],
];

test.each(cases)("%o", (policy, sentence) => {
  expect(policySentence({ ...bare, ...policy }, "Europe/Zurich")).toBe(sentence);
});
