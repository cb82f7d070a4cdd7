import { describe, expect, it } from "vitest";
import { decideAsOwner, decideEach } from "./decide";
import type { Facts, Policy } from "./facts";
import { type ProfileContent, reveal } from "./reveal";
import { factsOf, policyOf } from "./testing/samples";

const record = (id: string, category: string) => ({ id, category, content: `content of ${id}` });

const content: ProfileContent<ReturnType<typeof record>> = {
  common: {
    preferences: { language: "en", theme: "dark", travel: { seat: "window", class: "second" } },
    identity: { displayName: "Alice" },
    nickname: "Al",
    locale: {},
  },
  namedValues: [
    { category: "prof:professional", name: "occupation", value: "engineer" },
    { category: "prof:professional", name: "skills", value: ["sql", "chess"] },
    { category: "prof:health", name: "bloodType", value: "0+" },
  ],
  memories: [
    record("mem_3", "prof:episodic"),
    record("mem_2", "prof:professional"),
    record("mem_1", "prof:episodic"),
  ],
};

function seenUnder(...policies: Partial<Policy>[]) {
  const list = policies.map((parts, index) => policyOf({ id: `pol_${index}`, ...parts }));
  return reveal({ content, decideCategory: decideRead(factsOf({ policies: list })) });
}

function decideRead(facts: Facts) {
  return decideEach(facts, "read");
}

describe("each item is decided by its own category", () => {
  it("nothing granted: an empty profile, preferences and memories included", () => {
    const seen = seenUnder();
    expect(seen.common).toEqual({ preferences: {} });
    expect(seen.memories).toEqual({});
    expect(seen.counts).toEqual({});
    expect(seen.shown).toEqual([]);
  });

  it("a member of common goes with the scope of its name", () => {
    expect(seenUnder({ allow: ["prof:preferences"] }).common).toEqual({
      preferences: content.common.preferences,
    });
    expect(seenUnder({ allow: ["prof:nickname", "prof:locale"] }).common).toEqual({
      preferences: {},
      nickname: "Al",
      locale: {},
    });
  });

  it("a denied child is cut out of a granted parent, at any depth", () => {
    const deny = ["prof:preferences.language", "prof:preferences.travel.seat"];
    expect(seenUnder({ allow: ["prof:*"], deny }).common.preferences).toEqual({
      theme: "dark",
      travel: { class: "second" },
    });
  });

  it("a granted child shows although its parent asks", () => {
    const seen = seenUnder({
      allow: ["prof:preferences.language", "prof:preferences.travel.seat"],
    });
    expect(seen.common).toEqual({ preferences: { language: "en", travel: { seat: "window" } } });
  });

  it("a member of which nothing is left is left out itself", () => {
    const seen = seenUnder({ allow: ["prof:*"], deny: ["prof:identity.displayname"] });
    expect(seen.common).not.toHaveProperty("identity");
  });

  it("named values are an object, records a list, and both together the object with `memories`", () => {
    expect(
      seenUnder({ allow: ["prof:professional", "prof:episodic", "prof:health"] }).memories,
    ).toEqual({
      "prof:professional": {
        occupation: "engineer",
        skills: ["sql", "chess"],
        memories: [content.memories[1]],
      },
      "prof:health": { bloodType: "0+" },
      "prof:episodic": [content.memories[0], content.memories[2]],
    });
  });

  it("a scope that names a named value can take it away, and never gives it without its category", () => {
    const cut = seenUnder({ allow: ["prof:professional"], deny: ["prof:professional.skills"] });
    expect(cut.memories["prof:professional"]).not.toHaveProperty("skills");
    expect(cut.memories["prof:professional"]).toHaveProperty("occupation");
    expect(seenUnder({ allow: ["prof:professional.skills"] }).memories).toEqual({});
  });

  it("an owner sees all of it", () => {
    const seen = reveal({ content, decideCategory: decideAsOwner });
    expect(seen.common).toEqual(content.common);
    expect(seen.memories["prof:episodic"]).toHaveLength(2);
    expect(seen.hidden).toEqual([]);
  });
});

describe("a deny inside a value", () => {
  const home = {
    street: "CANARY-street",
    city: "Bern",
    Past: [{ street: "CANARY-past", city: "Rom" }],
  };
  const inside: typeof content = {
    common: {
      preferences: {
        list: [{ street: "CANARY-list", city: "Ulm" }, { street: "CANARY-only" }, "plain"],
        rows: [[{ street: "CANARY-row" }], [1, 2]],
      },
    },
    namedValues: [{ category: "prof:preferences", name: "home", value: home }],
    memories: [],
  };
  const deny = ["list", "rows", "home", "home.past"].map(
    (name) => `prof:preferences.${name}.street`,
  );
  const under = (policy: Partial<Policy>, within?: string[]) =>
    reveal({
      content: inside,
      decideCategory: decideRead(factsOf({ policies: [policyOf(policy)] })),
      within,
    });

  it.each([
    ["asked for everything", undefined],
    ["asked for the value", ["prof:preferences.home"]],
    ["asked for its category", ["prof:preferences"]],
  ])("is cut out of a named value: %s", (_title, within) => {
    const seen = under({ allow: ["prof:preferences"], deny }, within);
    expect(seen.memories["prof:preferences"]).toEqual({
      home: { city: "Bern", Past: [{ city: "Rom" }] },
    });
    expect(JSON.stringify(seen)).not.toContain("CANARY");
  });

  it("is cut out of the elements of arrays, and an element of which nothing is left drops out", () => {
    const { common } = under({ allow: ["prof:preferences"], deny });
    expect(common.preferences).toEqual({ list: [{ city: "Ulm" }, "plain"], rows: [[1, 2]] });
  });

  it("leaves a value counted once, and names what is hidden in it", () => {
    const { counts, shown, hidden } = under({ allow: ["prof:preferences"], deny });
    expect(counts).toEqual({ "prof:preferences": 3 });
    expect(shown.map(({ names }) => names)).toEqual([
      ["preferences.list", "preferences.rows"],
      ["home"],
    ]);
    expect(hidden.map(({ kind, names, items }) => [kind, names, items])).toEqual([
      ["common", ["preferences.list.street", "preferences.rows.street"], 2],
      ["named_value", ["home.street", "home.Past.street"], 2],
    ]);
  });

  it("hides a value of which nothing is left", () => {
    const denyAll = ["street", "city", "past"].map((name) => `prof:preferences.home.${name}`);
    const seen = under({ allow: ["prof:preferences"], deny: [...denyAll, ...deny] });
    expect(seen.memories).toEqual({});
    expect(seen.counts).toEqual({ "prof:preferences": 2 });
  });

  it("names a value that is denied as a whole, and nothing in it", () => {
    const whole = ["prof:preferences.home", "prof:preferences.list"];
    const { hidden } = under({ allow: ["prof:preferences"], deny: whole });
    expect(hidden.map(({ names }) => names)).toEqual([["preferences.list"], ["home"]]);
  });

  it("a child that is granted shows in an array, and never in a named value whose category asks", () => {
    const allow = ["prof:preferences.list.city", "prof:preferences.home.city"];
    const { common, memories } = under({ allow });
    expect(common.preferences).toEqual({ list: [{ city: "Ulm" }] });
    expect(memories).toEqual({});
  });

  it("one decision is enough for an array of scalars, and for a value in which nothing is denied", () => {
    let decisions = 0;
    const decide = decideRead(factsOf({ policies: [policyOf({ allow: ["prof:*"] })] }));
    const decideCategory = Object.assign(
      (category: string) => {
        decisions += 1;
        return decide(category);
      },
      { namedIn: decide.namedIn },
    );
    const scalars = Array.from({ length: 1_000 }, (_, at) => at);
    const value = { rows: scalars.map((at) => ({ at, b: { c: at } })) };
    const namedValues = [{ category: "prof:x", name: "n", value }];
    reveal({ content: { common: { list: scalars }, namedValues, memories: [] }, decideCategory });
    expect(decisions).toBeLessThan(10);
  });
});

describe("only what was asked for is shown, or spoken of", () => {
  const everything = policyOf({ allow: ["prof:*"], deny: ["prof:health"] });
  const decideCategory = decideRead(factsOf({ policies: [everything] }));

  it("a child of common", () => {
    const seen = reveal({ content, decideCategory, within: ["prof:preferences.travel"] });
    expect(seen.common).toEqual({ preferences: { travel: { seat: "window", class: "second" } } });
    expect(seen.memories).toEqual({});
    expect(seen.hidden).toEqual([]);
  });

  it("a category and everything below it", () => {
    const seen = reveal({ content, decideCategory, within: ["prof:episodic.*", "prof:health"] });
    expect(Object.keys(seen.memories)).toEqual(["prof:episodic"]);
    expect(seen.hidden.map(({ category }) => category)).toEqual(["prof:health"]);
  });
});

describe("the log and the lens learn how many, and why, but never what", () => {
  const seen = seenUnder({ allow: ["prof:preferences"], deny: ["prof:preferences.language"] });

  it("items are counted by category: each value that is shown", () => {
    expect(seen.counts).toEqual({ "prof:preferences": 3 });
    const all = reveal({ content, decideCategory: decideAsOwner });
    expect(all.counts).toEqual({
      "prof:preferences": 4,
      "prof:identity": 1,
      "prof:nickname": 1,
      "prof:professional": 3,
      "prof:health": 1,
      "prof:episodic": 2,
    });
  });

  it("what is shown and what is hidden is grouped by the rule it falls under", () => {
    expect(seen.shown).toEqual([
      {
        kind: "common",
        category: "prof:preferences",
        names: ["preferences.theme", "preferences.travel.seat", "preferences.travel.class"],
        items: 3,
        decision: { outcome: "granted", reason: because("allow", "pol_0") },
      },
    ]);
    expect(seen.hidden).toContainEqual({
      kind: "common",
      category: "prof:preferences",
      names: ["preferences.language"],
      items: 1,
      decision: { outcome: "denied", reason: because("deny", "pol_0") },
    });
    expect(seen.hidden).toContainEqual({
      kind: "memory",
      category: "prof:episodic",
      names: [],
      items: 2,
      decision: { outcome: "consent_required", reason: because("no_allow", null) },
    });
  });

  it("no hidden value is in there", () => {
    const text = JSON.stringify(seen);
    for (const secret of ["Alice", "engineer", "chess", "content of"]) {
      expect(text).not.toContain(secret);
    }
  });
});

describe("names that cannot be part of a category fall under the nearest one above", () => {
  const odd = {
    common: {
      preferences: {
        "favourite colour": "green",
        "ui.theme": "dark",
        "": "empty",
        "a b": { c: 1 },
      },
      "not a name": "odd",
      "preferences.hidden": "dotted",
    },
    namedValues: [{ category: "prof:x", name: "__proto__", value: "polluted" }],
    memories: [],
  };
  const show = (parts: Partial<Policy>) =>
    reveal({ content: odd, decideCategory: decideRead(factsOf({ policies: [policyOf(parts)] })) });

  it("inside a member, its category", () => {
    expect(show({ allow: ["prof:preferences"] }).common).toEqual(
      Object.fromEntries(Object.entries(odd.common).filter(([name]) => name !== "not a name")),
    );
    expect(show({ allow: ["prof:preferences.ui"] }).common.preferences).toEqual({
      "ui.theme": "dark",
    });
  });

  it("with all that is inside, which has no category of its own either", () => {
    const { common } = show({ allow: ["prof:preferences"], deny: ["prof:preferences.c"] });
    expect(common.preferences).toHaveProperty(["a b"], { c: 1 });
  });

  it("a dot in a name is no way around a deny", () => {
    const { common } = show({
      allow: ["prof:*"],
      deny: ["prof:preferences.ui", "prof:preferences.hidden"],
    });
    expect(common.preferences).not.toHaveProperty(["ui.theme"]);
    expect(common).not.toHaveProperty(["preferences.hidden"]);
  });

  it("on top, only who may see everything", () => {
    expect(show({ allow: ["prof:*"] }).common).toHaveProperty(["not a name"], "odd");
    expect(show({ allow: ["prof:*"], deny: ["prof:*"] }).common).toEqual({ preferences: {} });
  });

  it("a name like __proto__ is a name", () => {
    const { memories } = show({ allow: ["prof:x"] });
    expect(Object.hasOwn(memories["prof:x"] ?? {}, "__proto__")).toBe(true);
    expect(JSON.stringify(memories)).toBe('{"prof:x":{"__proto__":"polluted"}}');
  });
});

function because(rule: string, policyId: string | null) {
  return { rule, policyId, receiptId: null };
}
