import { describe, expect, it } from "vitest";
import type { Policy } from "../facts";
import { factsOf, policyOf } from "../testing/samples";
import { type Effect, effectOf, isEmpty } from "./effect";
import { type PolicyChange, policiesAfter } from "./policy-change";
import type { Holdings } from "./seen";

const holdings: Holdings = {
  common: { preferences: { language: "en", food: { diet: "vegetarian" } } },
  namedValues: [{ category: "prof:interests", name: "likes", value: ["tea"] }],
  memories: { "prof:interests": 12, "prof:interests.music": 3, "prof:health": 2 },
};
const none = { memories: 0, values: 0, categories: [], later: [], proposes: [] };

function effect(policies: Policy[], change: PolicyChange, verified = false): Effect {
  const after = policiesAfter(policies, change);
  const [one] = effectOf({ agents: [factsOf({ policies, agent: { verified } })], after, holdings });
  if (!one) throw new Error("there is one agent");
  return one;
}

const put = (parts: Partial<Policy>): PolicyChange => ({ kind: "put", policy: policyOf(parts) });

describe("the effect of a change", () => {
  it.each<[string, Policy[], PolicyChange, Partial<Effect["gains"]>, Partial<Effect["loses"]>]>([
    ["nothing for nothing", [], put({}), {}, {}],
    [
      "memories and values of what is opened, and of all below it",
      [],
      put({ allow: ["prof:interests"] }),
      { memories: 15, values: 1, categories: ["prof:interests", "prof:interests.music"] },
      {},
    ],
    [
      "values of a member of the profile one by one",
      [],
      put({ allow: ["prof:preferences.food"] }),
      { values: 1, categories: ["prof:preferences.food"] },
      {},
    ],
    [
      "what comes later, where nothing is yet",
      [],
      put({ allow: ["prof:episodic.*"] }),
      { later: ["prof:episodic"] },
      {},
    ],
    [
      "nothing a second time",
      [policyOf({ id: "pol_2", allow: ["prof:*"] })],
      put({ allow: ["prof:interests"] }),
      {},
      {},
    ],
    [
      "less by a deny, whatever allows it",
      [policyOf({ id: "pol_2", allow: ["prof:*"] })],
      put({ deny: ["prof:health"] }),
      {},
      { memories: 2, categories: ["prof:health"] },
    ],
    [
      "one and the other by an edit",
      [policyOf({ allow: ["prof:health"] })],
      put({ allow: ["prof:interests.music"] }),
      { memories: 3, categories: ["prof:interests.music"] },
      { memories: 2, categories: ["prof:health"] },
    ],
    [
      "what a removed rule opened",
      [policyOf({ allow: ["prof:health"] })],
      { kind: "remove", policyId: "pol_1" },
      {},
      { memories: 2, categories: ["prof:health"] },
    ],
    [
      "where it may propose",
      [],
      put({ allow: ["prof:interests"], permissions: ["propose"] }),
      { proposes: ["prof:interests", "prof:interests.music"] },
      {},
    ],
    ["nothing by a rule that is off", [], put({ allow: ["prof:*"], enabled: false }), {}, {}],
    [
      "nothing by a rule for another agent",
      [],
      put({ allow: ["prof:*"], agentPattern: "did:prof:agent:local:other" }),
      {},
      {},
    ],
    [
      "nothing by a rule for verified ones",
      [],
      put({ allow: ["prof:*"], verifiedOnly: true }),
      {},
      {},
    ],
    [
      "nothing at once where it has to ask",
      [],
      put({ allow: ["prof:*"], purposes: ["analysis"] }),
      {},
      {},
    ],
  ])("%s", (_title, policies, change, gains, loses) => {
    expect(effect(policies, change)).toEqual({
      gains: { ...none, ...gains },
      loses: { ...none, ...loses },
    });
  });

  it("a template in place of another, which stops short of what is sensitive", () => {
    const balanced = policiesAfter([], { kind: "template", template: "balanced" });
    const { gains, loses } = effect(balanced, { kind: "template", template: "open" });
    expect(gains).toMatchObject({ memories: 15, values: 3, later: ["prof:*"] });
    expect(isEmpty(loses)).toBe(true);
    const toPrivate = effect(balanced, { kind: "template", template: "private" }, true);
    expect(toPrivate.loses).toMatchObject({ memories: 0, values: 2, proposes: ["prof:*"] });
  });

  it("what is declared counts as asked for and given", () => {
    const policies: Policy[] = [];
    const after = [
      policyOf({ allow: ["prof:health"], purposes: ["analysis"], maxRetention: "7d" }),
    ];
    const agents = [factsOf({ policies })];
    const given = (type: string, retention: string | null) => {
      const [one] = effectOf({ agents, after, holdings, declared: { type, retention } });
      return one?.gains.memories;
    };
    expect(given("analysis", "7d")).toBe(2);
    expect(given("analysis", "30d")).toBe(0);
    expect(given("research", "7d")).toBe(0);
  });
});
