import { expect, test } from "vitest";
import { endAt, PolicyForm } from "./schemas";

const bare = { who: "all", "may:read": "on", "allow:prof:interests": "on" };
const now = new Date("2026-03-01T12:00:00.000Z");

function issuesOf(typed: Record<string, string>): Record<string, string> {
  const { error } = PolicyForm.safeParse({ ...bare, ...typed });
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path[0], message]));
}

test("ticked and typed values become one rule, without duplicates", () => {
  const { policy, ends } = PolicyForm.parse({
    ...bare,
    who: "pattern",
    agentPattern: " did:prof:agent:acme:* ",
    whileVerified: "on",
    allowTyped: "music, prof:interests travel.visas",
    "deny:prof:health": "on",
    "purpose:analysis": "on",
    purposesTyped: "analysis meal_planning",
    maxRetention: "7d",
    receiptHours: "1.5",
    until: "30d",
  });
  expect(policy).toEqual({
    agentPattern: "did:prof:agent:acme:*",
    verifiedOnly: true,
    allow: ["prof:interests", "prof:music", "prof:travel.visas"],
    deny: ["prof:health"],
    permissions: ["read"],
    purposes: ["analysis", "meal_planning"],
    maxRetention: "7d",
    receiptSeconds: 5_400,
    expiresAt: null,
  });
  expect(endAt(ends, now)).toEqual(new Date("2026-03-31T12:00:00.000Z"));
});

test.each<[string, Record<string, string>, boolean]>([
  ["all", { whileVerified: "on" }, false],
  ["verified", {}, true],
])("%s agents", (who, typed, verifiedOnly) => {
  const { policy } = PolicyForm.parse({ ...bare, ...typed, who });
  expect(policy).toMatchObject({ agentPattern: "did:prof:agent:*:*", verifiedOnly });
});

test("a day of one's choice is part of the rule", () => {
  const { ends } = PolicyForm.parse({ ...bare, until: "day", untilDay: "2026-03-09" });
  expect(endAt(ends, now)).toEqual(new Date("2026-03-09T23:59:59.999Z"));
  expect(endAt(PolicyForm.parse(bare).ends, now)).toBeNull();
});

test.each<[Record<string, string>, string, string | RegExp]>([
  [{ who: "one" }, "agentDid", /^Not an agent/],
  [{ who: "pattern", agentPattern: "did:prof:user:*:*" }, "agentPattern", /^Not an agent/],
  [{ who: "some" }, "who", "Choose which agents this is about."],
  [{ allowTyped: "a..b" }, "allow", /^Not a scope/],
  [{ denyTyped: "*.a" }, "deny", /^Not a scope/],
  [{ denyTyped: "Financial" }, "deny", /in lower case/],
  [{ allowTyped: Array.from({ length: 50 }, (_, i) => `a${i}`).join(" ") }, "allow", /^At most 50/],
  [{ purposesTyped: "Meal" }, "purposes", /^A purpose is a word/],
  [{ receiptHours: "a day" }, "receiptHours", "Must be a number."],
  [{ receiptHours: "25" }, "receiptHours", "At most 24 hours."],
  [{ receiptHours: "0" }, "receiptHours", "At least one second."],
  [{ until: "day" }, "expiresAt", "Choose a day."],
  [{ maxRetention: "a while" }, "maxRetention", /./],
])("%o is refused at its field", (typed, field, message) => {
  expect(issuesOf(typed)[field]).toMatch(message);
});

test("a rule about nothing, or without a deed, is none", () => {
  expect(PolicyForm.safeParse({ who: "all", "may:read": "on" }).error?.issues[0]?.path).toEqual([
    "allow",
  ]);
  expect(PolicyForm.safeParse({ who: "all", "allow:prof:*": "on" }).error?.issues[0]?.path).toEqual(
    ["permissions"],
  );
  expect(PolicyForm.safeParse({ who: "all", "deny:prof:*": "on" }).success).toBe(true);
});
