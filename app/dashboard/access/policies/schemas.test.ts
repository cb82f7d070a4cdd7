import { expect, test } from "vitest";
import { initialValues } from "./editor/editor-page";
import { PolicyForm } from "./schemas";

const bare = {
  ...{ intent: "save", agent: "all", deed: "read", until: "never" },
  "scope:prof:interests": "on",
};
const now = new Date("2026-03-01T12:00:00.000Z");

function issuesOf(typed: Record<string, string>): Record<string, string> {
  const { error } = PolicyForm.safeParse({ ...bare, ...typed });
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path[0], message]));
}

const filled = {
  ...bare,
  agent: "pattern",
  pattern: " did:prof:agent:acme:* ",
  whileVerified: "on",
  "scope.others": "music, prof:interests, Travel › visas",
  "except:prof:health": "on",
  "purpose:analysis": "on",
  "purpose.others": "analysis, meal_planning",
  maxRetention: "7d",
  receiptSeconds: "3600",
  until: "30",
};

test("ticked and typed values become one rule, without duplicates", () => {
  const { policy, ends } = PolicyForm.parse(filled);
  expect(policy).toEqual({
    agentPattern: "did:prof:agent:acme:*",
    verifiedOnly: true,
    allow: ["prof:interests", "prof:music", "prof:travel.visas"],
    deny: ["prof:health"],
    permissions: ["read"],
    purposes: ["analysis", "meal_planning"],
    maxRetention: "7d",
    receiptSeconds: 3_600,
    expiresAt: null,
  });
  expect(ends({ now, zone: "UTC" })).toEqual(new Date("2026-03-31T12:00:00.000Z"));
});

test("a rule that is never to let anybody in has no conditions", () => {
  const { policy } = PolicyForm.parse({ ...filled, deed: "never" });
  expect(policy).toMatchObject({
    ...{ allow: [], deny: ["prof:interests", "prof:music", "prof:travel.visas"] },
    ...{ permissions: [], purposes: [], maxRetention: null, receiptSeconds: null },
  });
});

test.each([filled, { ...filled, deed: "never" }, { ...filled, deed: "both", agent: "verified" }])(
  "a stored rule opens in the editor as it is",
  (typed) => {
    const { policy } = PolicyForm.parse(typed);
    const expiresAt = new Date("2026-03-09T08:30:00.000Z");
    const stored = {
      ...{ ...policy, expiresAt, id: "pol_1", enabled: true, origin: "owner" as const },
      ...{ agent: null, consent: null, token: null, createdAt: now, updatedAt: now },
    };
    const again = PolicyForm.parse({
      ...initialValues(stored, new Set(["prof:interests", "analysis"])),
      intent: "save",
    });
    expect(again.policy).toEqual(policy);
    expect(again.ends({ now, zone: "UTC" })).toEqual(expiresAt);
  },
);

test.each<[string, Record<string, string>, boolean]>([
  ["all", { whileVerified: "on" }, false],
  ["verified", {}, true],
])("%s agents", (agent, typed, verifiedOnly) => {
  const { policy } = PolicyForm.parse({ ...bare, ...typed, agent });
  expect(policy).toMatchObject({ agentPattern: "did:prof:agent:*:*", verifiedOnly });
});

test("a day of one's choice is part of the rule, as its reader's clock has it", () => {
  const { ends } = PolicyForm.parse({ ...bare, until: "day", untilDay: "2026-03-09" });
  expect(ends({ now, zone: "UTC" })).toEqual(new Date("2026-03-09T23:59:59.999Z"));
  expect(ends({ now, zone: "Asia/Tokyo" })).toEqual(new Date("2026-03-09T14:59:59.999Z"));
  expect(PolicyForm.parse(bare).ends({ now, zone: "UTC" })).toBeNull();
});

test("only a preview needs no end yet", () => {
  expect(issuesOf({ until: "" })).toEqual({ until: "Choose for how long." });
  const { ends } = PolicyForm.parse({ ...bare, intent: "preview", until: "" });
  expect(ends({ now, zone: "UTC" })).toBeNull();
});

test.each<[Record<string, string>, string, string | RegExp]>([
  [{ agent: "" }, "agent", "Choose which agents this is about."],
  [{ agent: "some" }, "agent", /^Not an agent/],
  [{ agent: "pattern", pattern: "did:prof:user:*:*" }, "pattern", /^Not an agent/],
  [{ deed: "" }, "deed", "Choose what they may do."],
  [{ "scope.others": "a..b" }, "scope", /^Not a scope/],
  [{ "except.others": "*.a" }, "except", /^Not a scope/],
  [{ deed: "never", "scope.others": "a..b" }, "scope", /^Not a scope/],
  [
    { "scope.others": Array.from({ length: 50 }, (_, i) => `a${i}`).join() },
    "scope",
    /^At most 50/,
  ],
  [{ "purpose.others": "Meal" }, "purpose", /^A purpose is a word/],
  [{ receiptSeconds: "90000" }, "receiptSeconds", "At most 24 hours."],
  [{ receiptSeconds: "0" }, "receiptSeconds", "At least one second."],
  [{ until: "day" }, "until", "Choose a day."],
  [{ maxRetention: "a while" }, "maxRetention", /./],
])("%o is refused at its slot", (typed, field, message) => {
  expect(issuesOf(typed)[field]).toMatch(message);
});

test("refuses a rule about nothing", () => {
  const { "scope:prof:interests": _, ...rest } = bare;
  expect(PolicyForm.safeParse(rest).error?.issues[0]?.path).toEqual(["scope"]);
});
