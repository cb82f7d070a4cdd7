import { expect, test } from "vitest";
import { asksWords, decidedWords, restWords } from "./request-words";

test.each([
  [["prof:interests"], "asks to read your interests"],
  [["prof:interests.*", "prof:episodic"], "asks to read your interests and episodes"],
  [["prof:professional.skills"], "asks to read your professional facts › skills"],
  [["prof:interests", "prof:*"], "asks to read everything that you keep"],
])("%j: %s", (scopes, words) => {
  expect(asksWords(scopes)).toBe(words);
});

test.each([
  [0, 0, [], "You keep nothing else that is closed to it."],
  [
    59,
    0,
    ["prof:health", "prof:health.teeth", "prof:identity"],
    "The rest stays closed: 59 memories in health and identity.",
  ],
  [0, 1, ["prof:preferences"], "The rest stays closed: 1 value in preferences."],
])("%d memories and %d values in %j: %s", (memories, values, categories, words) => {
  const rest = categories.map((category) => ({ category }));
  expect(restWords({ memories, values }, rest)).toBe(words);
});

const clock = { now: new Date("2026-11-24T14:05:00Z"), zone: "UTC" };
const at = (text: string) => new Date(text);
const again =
  " Until 24 December 2026 it gets the same answer for the same purpose without asking you, unless a rule of yours lets it in.";
const [interests, health] = ["prof:interests", "prof:health"];
const lives = { enabled: true, expiresAt: at("2026-11-24T14:20:00Z") };

test.each<[string, Partial<Parameters<typeof decidedWords>[0]>]>([
  [`You granted nothing.${again}`, { grantedScopes: [] }],
  ["You granted nothing.", { grantedScopes: [], refusedUntil: clock.now }],
  // Its access was removed while it waited, or the refusal was lifted: it may ask again.
  ["You granted nothing.", { grantedScopes: [], refusedUntil: null }],
  ["You granted interests and health for research, until 14:20.", {}],
  [
    "You granted interests and health for research, until you end it.",
    { grant: { enabled: true, expiresAt: null } },
  ],
  [
    "You granted interests and health for research; that grant is over.",
    { grant: { enabled: true, expiresAt: at("2026-11-24T14:05:00Z") } },
  ],
  [
    "You granted interests and health for research; that grant is over.",
    { grant: { ...lives, enabled: false } },
  ],
  ["You granted interests and health for research; that grant is over.", { grant: null }],
  [
    `You granted interests for “well_being”, until 14:20. You did not grant health.${again}`,
    { grantedScopes: [interests], purposeType: "well_being" },
  ],
])("%s", (words, request) => {
  const scopes = [interests, health];
  const decided = { scopes, grantedScopes: scopes, purposeType: "research", grant: lives };
  expect(
    decidedWords({ ...decided, refusedUntil: at("2026-12-24T14:05:00Z"), ...request }, clock),
  ).toBe(words);
});
