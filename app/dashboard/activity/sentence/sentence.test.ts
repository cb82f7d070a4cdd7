import { describe, expect, test } from "vitest";
import { errorTable } from "@/lib/protocol/errors";
import type { Reason } from "@/lib/rules/decide";
import { verbs } from "@/lib/rules/may";
import type { ActivityEvent } from "@/lib/services/activity/activity-event";
import { sentenceOf, sentenceText } from "./sentence";

const iris = { did: "did:prof:agent:local:iris", name: "Iris", verified: true } as const;
const atlas = { did: "did:prof:agent:local:atlas", name: "Atlas", verified: false } as const;

const nothing: ActivityEvent = {
  id: "evt_1",
  at: new Date("2026-03-01T12:00:00Z"),
  verb: "getProfile",
  outcome: "ok",
  actor: "agent",
  actorId: iris.did,
  agent: iris,
  about: null,
  asked: [],
  granted: [],
  denied: [],
  items: {},
  reasons: {},
  purposeType: null,
  receiptId: null,
  subjectId: null,
  detail: {},
  requestId: "req_1",
};
const byOwner = { actor: "owner", actorId: "did:prof:user:local:alice", agent: null } as const;

const because = (rule: Reason["rule"]): Reason => ({ rule, policyId: "pol_1", receiptId: null });

const cases: [string, Partial<ActivityEvent>][] = [
  [
    "The other account accepted the transfer of this profile",
    {
      verb: "acceptTransfer",
      ...{ actor: "system", actorId: "nobody", agent: null, detail: { by: "newOwner" } },
    },
  ],
  ["You refused the transfer of this profile", { ...byOwner, verb: "refuseTransfer" }],
  [
    "Iris read 4 preferences for personalization",
    { items: { "prof:preferences": 4 }, purposeType: "personalization" },
  ],
  [
    "Iris read 1 interest and 1 item of health",
    { items: { "prof:interests": 1, "prof:health": 1 } },
  ],
  [
    "Iris read 9 episodes, 3 interests and 3 items in 2 more categories",
    { items: { "prof:episodic": 9, "prof:interests": 3, "prof:a": 2, "prof:b": 1 } },
  ],
  [
    "Iris read 9 episodes, 3 interests and 1,203 items in 402 more categories",
    {
      items: { "prof:episodic": 9, "prof:interests": 3, "prof:a": 2, "prof:b": 1 },
      detail: { more: { items: 400, itemCount: 1_200 } },
    },
  ],
  [
    "Iris read 2 preferences, but not your health",
    { items: { "prof:preferences": 2 }, denied: ["prof:health"] },
  ],
  ["Iris looked at your profile and found nothing that it may read", {}],
  [
    "Iris read 1 preference for personalization, with a key that an admin added",
    {
      ...{ items: { "prof:preferences": 1 }, purposeType: "personalization" },
      detail: { keyByAdmin: true },
    },
  ],
  [
    "Iris tried to read your health: refused, your rule forbids it, with a key that an admin added",
    {
      ...{ outcome: "PROF004", asked: ["prof:health"], denied: ["prof:health"] },
      ...{ reasons: { "prof:health": because("deny") }, detail: { keyByAdmin: true } },
    },
  ],
  [
    "Iris tried to read your health: refused, your rule forbids it",
    {
      outcome: "PROF004",
      asked: ["prof:health"],
      denied: ["prof:health"],
      reasons: { "prof:health": because("deny") },
    },
  ],
  [
    "Iris tried to read your profile: refused, you rejected the same before",
    { outcome: "PROF006", detail: { status: "already_rejected" } },
  ],
  ["Iris tried to read your profile: refused, too much of that at once", { outcome: "PROF005" }],
  ["You read 1 preference", { ...byOwner, verb: "listMemories", items: { "prof:preferences": 1 } }],
  [
    "Iris looked up 3 lines of its own proposals",
    { verb: "listProposals", detail: { proposals: 3 } },
  ],
  [
    "Atlas asked to know your preferences › travel for service delivery: granted",
    {
      verb: "requestAccess",
      agent: atlas,
      asked: ["prof:preferences.travel"],
      granted: ["prof:preferences.travel"],
      purposeType: "service_delivery",
    },
  ],
  [
    "Atlas asked to know your interests, in its words for “service”: left for you to decide",
    {
      ...{ verb: "requestAccess", agent: atlas, outcome: "PROF004", subjectId: "creq_1" },
      ...{ asked: ["prof:interests"], denied: ["prof:interests"], purposeType: "service" },
      reasons: { "prof:interests": because("needs_purpose") },
    },
  ],
  [
    "Atlas asked to know your interests and health: got interests, not health",
    {
      verb: "requestAccess",
      agent: atlas,
      asked: ["prof:interests", "prof:health"],
      granted: ["prof:interests"],
      denied: ["prof:health"],
    },
  ],
  [
    "Atlas asked to know everything about you: left for you to decide",
    {
      verb: "requestAccess",
      agent: atlas,
      outcome: "PROF004",
      asked: ["prof:*"],
      denied: ["prof:*"],
      reasons: { "prof:*": because("no_allow") },
      subjectId: "creq_1",
    },
  ],
  [
    "Atlas asked to know your health: refused, your rule forbids it",
    {
      verb: "requestAccess",
      agent: atlas,
      outcome: "PROF004",
      asked: ["prof:health"],
      denied: ["prof:health"],
      reasons: { "prof:health": because("deny") },
    },
  ],
  [
    "Iris proposed a memory about your interests",
    { verb: "proposeMemory", asked: ["prof:interests"] },
  ],
  [
    "You approved a proposal of Iris, with changes",
    {
      ...byOwner,
      verb: "reviewProposal",
      about: iris,
      detail: { action: "approve", edited: true },
    },
  ],
  [
    "You rejected a proposal",
    { ...byOwner, verb: "reviewProposal", detail: { action: "reject", edited: false } },
  ],
  [
    "The gateway approved a proposal of Iris by your rule",
    { actor: "system", actorId: "gateway", agent: null, verb: "approveByRule", about: iris },
  ],
  [
    "You let the gateway approve proposals of Iris for a while",
    { ...byOwner, verb: "editApproving", about: iris, detail: { started: { days: 30 } } },
  ],
  [
    "You ended the rule that approved proposals of Iris",
    { ...byOwner, verb: "editApproving", about: iris, detail: { ended: true } },
  ],
  [
    "You undid approvals of Iris",
    { ...byOwner, verb: "reopenProposal", about: iris, detail: { undone: { waiting: 1 } } },
  ],
  [
    "You took back the decision on a proposal of Iris, which deleted its memory",
    { ...byOwner, verb: "reopenProposal", about: iris, detail: { deleted: true } },
  ],
  [
    "You took back the decision on a proposal of Iris",
    { ...byOwner, verb: "reopenProposal", about: iris },
  ],
  [
    "You let an agent propose again what you rejected of Iris",
    { ...byOwner, verb: "liftRejection", about: iris },
  ],
  [
    "You put Iris into quarantine, and 3 proposals of it apart",
    { ...byOwner, verb: "quarantineAgent", about: iris, detail: { held: 3 } },
  ],
  [
    "You lifted the quarantine of Iris",
    { ...byOwner, verb: "liftQuarantine", about: iris, detail: { released: 3 } },
  ],
  [
    "You let Atlas know your interests for recommendation, for 30 days, but not health",
    {
      ...byOwner,
      verb: "decideConsent",
      about: atlas,
      granted: ["prof:interests"],
      denied: ["prof:health"],
      purposeType: "recommendation",
      detail: { choice: "30d" },
    },
  ],
  [
    "You refused Atlas your health",
    { ...byOwner, verb: "decideConsent", about: atlas, denied: ["prof:health"] },
  ],
  [
    "You removed the access of Atlas, which ended 1 grant and 2 receipts",
    {
      ...byOwner,
      verb: "revokeAgent",
      about: atlas,
      detail: { policies: 1, receipts: 2, tokens: 0 },
    },
  ],
  [
    "You blocked Atlas, which ended 1 token, and rejected 6 proposals",
    {
      ...byOwner,
      verb: "revokeAgent",
      about: atlas,
      detail: { tokens: 1, blocked: true, proposals: 6 },
    },
  ],
  [
    "You switched everything off for all agents",
    { ...byOwner, verb: "editPolicies", detail: { everythingOff: true } },
  ],
  [
    "You issued a connection token to Iris for everything about you",
    { ...byOwner, verb: "editTokens", about: iris, granted: ["prof:*"], detail: { agentDid: "…" } },
  ],
  ["You revoked a connection token", { ...byOwner, verb: "editTokens", detail: { revoked: true } }],
  ["You added a rule", { ...byOwner, verb: "editPolicies", detail: { added: {} } }],
  ["You removed a rule", { ...byOwner, verb: "editPolicies", detail: { removed: true } }],
  [
    "You applied the rules “Balanced”",
    { ...byOwner, verb: "editPolicies", detail: { template: "balanced" } },
  ],
  ["You revoked a signing key", { ...byOwner, verb: "editKeys", detail: { change: "revokeKey" } }],
  ["You archived a memory", { ...byOwner, verb: "editMemories", detail: { change: "archived" } }],
  ["You changed a memory", { ...byOwner, verb: "editMemories" }],
  [
    "You exported 1,200 events of this log as CSV",
    { ...byOwner, verb: "readActivity", detail: { exported: "csv", events: 1200 } },
  ],
  ["You created this profile", { ...byOwner, verb: "createProfile" }],
  [
    "An admin of this gateway tried to export your profile: refused, only you may do that",
    { verb: "exportProfile", outcome: "PROF002", actor: "admin", actorId: "usr_root", agent: null },
  ],
  [
    "You tried to change connection tokens: refused, this gateway does not allow it",
    { ...byOwner, verb: "editTokens", outcome: "PROF002" },
  ],
  [
    "Somebody who was not signed in as the owner tried to change rules: refused, only you may do that",
    { verb: "editPolicies", outcome: "PROF002", actor: "system", actorId: "nobody", agent: null },
  ],
];

test.each(cases)("%s", (sentence, event) => {
  expect(sentenceText({ ...nothing, ...event })).toBe(sentence);
});

describe.each([...verbs(), "createProfile"])("%s has words", (verb) => {
  test.each(["ok", ...Object.keys(errorTable)])("for the outcome %s", (outcome) => {
    const sentence = sentenceText({
      ...nothing,
      ...byOwner,
      verb,
      outcome,
      asked: ["prof:health"],
    });
    expect(sentence).toMatch(/^You [a-z]/);
    expect(sentence).not.toMatch(/undefined|null|PROF|[a-z][A-Z]|\s\s|did “/);
  });
});

const denying = [
  "deny",
  "refused",
  "ceiling",
  "token_scopes",
  "token_permissions",
  "client_scopes",
  "needs_purpose",
  "needs_verification",
  "no_allow",
] as const;

test.each(denying)("a scope that was denied by the rule %s says why", (rule) => {
  const denied = { denied: ["prof:health"], reasons: { "prof:health": because(rule) } };
  const sentence = sentenceText({ ...nothing, outcome: "PROF004", ...denied });
  expect(sentence).not.toMatch(/undefined|_|needs your consent/);
});

test.each([
  ["restorePolicy", "You restored policy"],
  ["frobnicateThing", "You did “frobnicate thing”"],
  ["constructor", "You did “constructor”"],
])("a verb without words of its own, %s, is told by its name", (verb, sentence) => {
  expect(sentenceText({ ...nothing, ...byOwner, verb })).toBe(sentence);
});

test("an outcome of a later version is told as it is", () => {
  expect(sentenceText({ ...nothing, outcome: "PROF099" })).toContain(
    "the gateway answered PROF099",
  );
});

test("an agent is a part of its own, so that a page can say whether it is verified", () => {
  expect(sentenceOf({ ...nothing, ...byOwner, verb: "revokeAgent", about: atlas })).toContainEqual({
    agent: atlas,
  });
});

test("a purpose in an agent's own words is a part of its own, so that a page can mark it", () => {
  const read = { items: { "prof:interests": 1 }, purposeType: "serv\u202eice" };
  const sentence = sentenceOf({ ...nothing, ...read });
  expect(sentence).toContainEqual({ quoted: "serv\u202eice" });
});

test("an agent's name cannot act in the sentence", () => {
  const agent = { ...iris, name: "Ir\u202eis" };
  expect(sentenceText({ ...nothing, agent })).toMatch(/^Iris looked/);
});

describe("events by admins and the gateway", () => {
  const base = { outcome: "ok", agent: null, about: null, asked: [], granted: [], denied: [] };
  const rest = { items: {}, reasons: {}, purposeType: null, receiptId: null, subjectId: null };
  const above = { ...base, ...rest, actor: "admin", actorId: "usr_root" } as const;

  test.each([
    ["suspendUser", {}, "suspended your account"],
    ["resumeUser", {}, "let your account in again"],
    ["changeRole", { role: "admin" }, "made you an admin"],
    ["changeRole", { role: "user" }, "took the role of an admin from you"],
    ["issueResetLink", {}, "made a link with which you can choose a new password"],
    ["resetPassword", {}, "chose a new password with a link, which ended every session"],
    [
      "resetPassword",
      { unlinked: ["github"] },
      "chose a new password with a link, which ended every session and unlinked every other sign-in",
    ],
    [
      "resetPassword",
      { unlinked: [], revoked: { keys: ["key_1"], tokens: ["tok_1", "tok_2"] } },
      "chose a new password with a link, which ended every session, and revoked 1 key and 2 tokens",
    ],
    [
      "resetPassword",
      { unlinked: [], revoked: { keys: ["key_1"], tokens: [], policies: ["pol_1", "pol_2"] } },
      "chose a new password with a link, which ended every session, and revoked 1 key, and switched off 2 rules",
    ],
    [
      "resetPassword",
      { unlinked: [], revoked: { keys: [], tokens: [] } },
      "chose a new password with a link, which ended every session",
    ],
    ["suspendProfile", {}, "suspended this profile"],
    ["resumeProfile", {}, "resumed this profile"],
    ["setProfileFormat", {}, "changed the type or the version of this profile"],
    [
      "addAgentKey",
      { key: "key_1" },
      "added a signing key to an agent: its holder reads as the agent",
    ],
    ["transferProfile", {}, "gave this profile to another account"],
    [
      "transferProfile",
      { ownerId: "usr_2", revoked: { keys: ["key_1"], tokens: ["tok_1"] } },
      "gave this profile to another account, and revoked 1 key and 1 token",
    ],
    [
      "transferProfile",
      { revoked: { keys: [], tokens: [], policies: ["pol_1"], receipts: 2 } },
      "gave this profile to another account, and revoked 2 receipts, and switched off 1 rule",
    ],
    ["transferOtherProfile", {}, "gave another profile of yours to somebody else"],
    ["deleteOtherProfile", {}, "deleted another profile of yours"],
    ["createProfile", {}, "created this profile"],
  ])("%s %j", (verb, detail, words) => {
    expect(sentenceText({ ...above, verb, detail })).toBe(`An admin of this gateway ${words}`);
  });

  test("an admin's key names the agent that its holder reads as", () => {
    const event = { ...above, verb: "addAgentKey", about: iris, subjectId: iris.did, detail: {} };
    expect(sentenceText(event)).toBe(
      "An admin of this gateway added a signing key to Iris: its holder reads as Iris",
    );
  });

  test("the gateway tells until when it dropped events", () => {
    const detail = { before: "2026-02-01T00:00:00.000Z", through: 3, hash: "" };
    const event = { ...above, actor: "system", actorId: "gateway", verb: "dropEvents" } as const;
    expect(sentenceText({ ...event, detail })).toBe(
      "The gateway dropped the events before 1 February 2026 UTC, which it does not keep for longer",
    );
  });

  test("the gateway says how many rules a restored backup switched off", () => {
    const event = { ...above, actor: "system", actorId: "gateway", verb: "restoreBackup" } as const;
    expect(sentenceText({ ...event, detail: { policies: ["pol_1", "pol_2"] } })).toBe(
      "The gateway restored a backup, and switched off 2 rules: what you changed since the backup is not in it",
    );
  });
});
