import { expect, test } from "vitest";
import type { Openings } from "@/lib/rules/effect/openings";
import { policyOf } from "@/lib/rules/testing/samples";
import { openingWords } from "./opening-words";

const clock = { now: new Date("2026-11-24T22:05:00Z"), zone: "Europe/Zurich" };
const at = (text: string) => new Date(text);
const rule = policyOf();
const grant = policyOf({ origin: "consent", agentPattern: "did:prof:agent:local:iris" });
const said = { ...grant, purposes: ["analysis"], maxRetention: "7d" };
const ending = { ...grant, expiresAt: new Date("2026-12-14T10:00:00Z") };

test.each<[string, Partial<Openings>]>([
  ["it has to ask", {}],
  ["by your rule for every agent", { reads: { policy: rule, until: null } }],
  [
    "by your rule for verified agents",
    { reads: { policy: policyOf({ verifiedOnly: true }), until: null } },
  ],
  [
    "by your rule for some agents",
    { reads: { policy: policyOf({ agentPattern: "did:prof:agent:acme:*" }), until: null } },
  ],
  [
    "by your rule for this agent",
    { reads: { policy: { ...grant, origin: "owner" }, until: null } },
  ],
  [
    "by its connection, until 1 March 2027",
    { reads: { policy: { ...grant, origin: "token" }, until: at("2027-03-01T12:00:00Z") } },
  ],
  ["you granted it, until 23:20", { reads: { policy: grant, until: at("2026-11-24T22:20:00Z") } }],
  [
    "you granted it, until 14 December 2026",
    { reads: { policy: ending, until: ending.expiresAt } },
  ],
  // Another rule opens it after the end of this one.
  ["you granted it", { reads: { policy: ending, until: at("2026-12-24T10:00:00Z") } }],
  [
    "you granted it, until tomorrow, 00:10",
    { reads: { policy: grant, until: at("2026-11-24T23:10:00Z") } },
  ],
  [
    "without asking you, after saying why, until 14 December 2026",
    { takes: { policy: said, until: at("2026-12-14T10:00:00Z") } },
  ],
  // Another rule may open it for other reasons.
  [
    "without asking you, after saying why, until you end it",
    { takes: { policy: said, until: null } },
  ],
  [
    "you granted it, until tomorrow, 23:05, then without asking you, after saying why, until 14 December 2026",
    {
      reads: { policy: said, until: at("2026-11-25T22:05:00Z") },
      takes: { policy: said, until: at("2026-12-14T10:00:00Z") },
    },
  ],
  [
    "you granted it, until 23:20",
    {
      reads: { policy: grant, until: at("2026-11-24T22:20:00Z") },
      takes: { policy: grant, until: at("2026-11-24T22:20:00Z") },
    },
  ],
])("says “%s”", (words, openings) => {
  expect(openingWords({ reads: null, takes: null, ...openings }, clock)).toBe(words);
});
