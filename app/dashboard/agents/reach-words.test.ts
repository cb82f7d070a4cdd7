import { describe, expect, test } from "vitest";
import { everyAgent, type Policy, type PolicyOrigin } from "@/lib/rules/facts";
import type { CategoryReach } from "@/lib/services/access/sight/reach";
import { endsOf } from "./[did]/ends-of";
import { openIn, reasonsWords } from "./reach-words";

const now = new Date("2026-03-01T12:00:00Z");
const reader = { now, zone: "UTC" };
const later = new Date("2026-12-24T12:00:00Z");

function rule(id: string, origin: PolicyOrigin, expiresAt: Date | null = null): Policy {
  return {
    ...{ id, agentPattern: everyAgent, verifiedOnly: true, allow: ["prof:preferences"], deny: [] },
    ...{ permissions: ["read"], purposes: [], maxRetention: null, receiptSeconds: null },
    ...{ enabled: true, expiresAt, origin },
  };
}

function open(policy: Policy, until = policy.expiresAt): CategoryReach {
  const nothing = { takes: null, proposes: null, never: null, asks: null };
  const counts = { category: policy.id, memories: 1, values: 0 };
  return { ...counts, ...nothing, reads: { policy, until } };
}

const [own, template, grant, token] = [
  rule("pol_1", "owner"),
  rule("pol_2", "template"),
  rule("pol_3", "consent"),
  rule("pol_4", "token"),
];
const ending = rule("pol_5", "consent", later);

const shut = { ...open(own), reads: null, never: { policy: own } };

describe("the reasons why an agent can read", () => {
  test.each<[words: string, CategoryReach[]]>([
    ["Has to ask you first", []],
    ["Has to ask you first; some categories stay closed", [shut, { ...open(own), reads: null }]],
    ["Never anything: a rule of yours or an admin forbids it", [shut]],
    ["By a rule of yours", [open(own), shut]],
    ["By a rule of yours", [open(own), open(own)]],
    ["By 2 rules of yours", [open(own), open(template)]],
    [
      "After saying why, by a grant until 24 December 2026",
      [{ ...open(own), reads: null, takes: { policy: ending, until: later } }],
    ],
    ["By a grant until 24 December 2026", [open(ending)]],
    ["By a grant until 24 December 2026", [open(ending, null)]],
    ["By a rule of yours", [open(own, later)]],
    [
      "By a rule of yours, a grant until 24 December 2026 and a connection token",
      [open(own), open(ending), open(token)],
    ],
  ])("are told: %s", (words, categories) => {
    expect(reasonsWords(categories, reader)).toBe(words);
  });
});

test("what is closed is not counted among what is open", () => {
  const closed = { ...open(own), reads: null };
  expect(openIn([closed, open(grant)])).toEqual([open(grant)]);
});

describe("what removing an agent's access ends", () => {
  const nothing = { grants: [], receipts: [], tokens: [], requests: 0 };
  const words = (given: Partial<typeof nothing> | object) =>
    endsOf({ ...nothing, ...given }, reader).map((end) => end.words);

  test("is nothing where it has nothing of its own", () => {
    expect(words({})).toEqual([]);
  });

  test("is named, with the end of a single grant and with the names of its tokens", () => {
    const scopes = ["prof:interests"];
    const made = { id: "x", expiresAt: later, lastUsedAt: null };
    const receipt = { id: "x", scopes, purposeType: "other", expiresAt: later };
    const all = {
      grants: [{ scopes, expiresAt: later }],
      receipts: [receipt, receipt],
      tokens: [{ ...made, label: "Lap\u202etop", lastFour: "aB3d" }],
      requests: 1,
    };
    expect(words(all)).toEqual([
      "1 grant, interests until 24 December 2026",
      "2 active receipts",
      "1 connection token, “Laptop” (…aB3d)",
      "1 request that waits for you",
    ]);
  });

  test("is counted where it is much", () => {
    const tokens = Array.from({ length: 6 }, () => ({
      ...{ id: "x", label: null, lastFour: "aB3d", expiresAt: later, lastUsedAt: null },
    }));
    const grants = ["prof:interests", "prof:interests", "prof:health"].map((scope) => ({
      ...{ scopes: [scope], expiresAt: later },
    }));
    expect(words({ grants, tokens })).toEqual([
      "3 grants, interests and health",
      "6 connection tokens",
    ]);
  });
});
