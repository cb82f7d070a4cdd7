import { describe, expect, test } from "vitest";
import { testEngine } from "@/tests/support/harness";
import {
  eventsOf,
  giveMemory,
  giveNamedValue,
  givePolicy,
  mintAgent,
  mintOwner,
} from "@/tests/support/personas";
import { call, issuePaths, profilePath } from "@/tests/support/wire";

// Spec, Endpoints 1: the query parameter `scopes`, and what policies make of it.
const engine = await testEngine();

/** A profile with one memory in each of these categories. */
async function ownerOf(categories: string[], ...policies: Parameters<typeof givePolicy>[2][]) {
  const owner = await mintOwner(engine, {
    policies,
    common: { preferences: { language: "en", theme: "dark" }, identity: { displayName: "Alice" } },
  });
  for (const category of categories) await giveMemory(engine, owner.profileId, { category });
  return owner;
}

async function read(owner: { did: string }, scopes?: string[]) {
  const agent = await mintAgent(engine);
  const { data, meta } = await agent.client.getProfile({ did: owner.did, scopes });
  return { shown: Object.keys(data.memories).sort(), common: data.common, meta };
}

describe("200", () => {
  test("shows the allowed part of what was asked and tells the rest in meta.deniedScopes", async () => {
    const owner = await ownerOf(["prof:interests", "prof:episodic"], {
      allow: ["prof:interests", "prof:preferences"],
    });
    const { shown, common, meta } = await read(owner, ["prof:interests", "prof:episodic"]);
    expect(shown).toEqual(["prof:interests"]);
    expect(common).toEqual({ preferences: {} });
    expect(meta.deniedScopes).toEqual(["prof:episodic"]);
    const [event] = await eventsOf(engine, owner.profileId);
    expect(event).toMatchObject({
      asked: ["prof:interests", "prof:episodic"],
      granted: ["prof:interests"],
      denied: ["prof:episodic"],
      items: { "prof:interests": 1 },
    });
  });

  test.each(["prof:professional", "prof:professional.*"])(
    "%s covers the category and everything below it, and no neighbour",
    async (scope) => {
      const categories = ["prof:professional", "prof:professional.goals", "prof:professionals"];
      const owner = await ownerOf(categories, { allow: ["prof:*"] });
      const { shown } = await read(owner, [scope]);
      expect(shown).toEqual(["prof:professional", "prof:professional.goals"]);
    },
  );

  test("prof:* never carries a denied category along", async () => {
    const owner = await ownerOf(["prof:health", "prof:health.sleep", "prof:interests"], {
      allow: ["prof:*"],
      deny: ["prof:health"],
    });
    expect((await read(owner, ["prof:*"])).shown).toEqual(["prof:interests"]);
  });

  test("meta.deniedScopes names what is cut out of a granted scope, and without scopes nothing", async () => {
    const owner = await ownerOf(
      ["prof:health", "prof:financial", "prof:interests"],
      { allow: ["prof:*"], deny: ["prof:health.*", "prof:health.sleep"] },
      { allow: [], deny: ["prof:financial"] },
    );
    const { shown, meta } = await read(owner, ["prof:*"]);
    expect(shown).toEqual(["prof:interests"]);
    expect(meta.deniedScopes).toEqual(["prof:financial", "prof:health.*"]);
    const [event] = await eventsOf(engine, owner.profileId);
    expect(event).toMatchObject({
      granted: ["prof:*"],
      denied: ["prof:financial", "prof:health.*"],
      reasons: { "prof:financial": { rule: "deny" }, "prof:health.*": { rule: "deny" } },
    });
    expect((await read(owner)).meta.deniedScopes).toBeUndefined();
    const named = await read(owner, ["prof:*", "prof:health"]);
    expect(named.meta.deniedScopes).toEqual(["prof:health", "prof:financial"]);
  });

  test("a denied child is cut out of a granted parent", async () => {
    const owner = await ownerOf(["prof:professional", "prof:professional.salary"], {
      allow: ["prof:professional"],
      deny: ["prof:professional.salary"],
    });
    expect((await read(owner, ["prof:professional"])).shown).toEqual(["prof:professional"]);
  });

  test("a deny in any policy wins over an allow in another", async () => {
    const owner = await ownerOf(
      ["prof:interests", "prof:episodic"],
      { allow: ["prof:*"] },
      { deny: ["prof:episodic"], allow: [] },
    );
    expect((await read(owner)).shown).toEqual(["prof:interests"]);
  });

  test("common is governed by prof:<member>, down to a single value", async () => {
    const owner = await ownerOf([], { allow: ["prof:preferences.language"] });
    expect((await read(owner)).common).toEqual({ preferences: { language: "en" } });
    const open = await ownerOf([], { allow: ["prof:*"], deny: ["prof:identity"] });
    expect((await read(open)).common).toEqual({ preferences: { language: "en", theme: "dark" } });
  });

  test("a named value is governed by its own category", async () => {
    const owner = await ownerOf([], { allow: ["prof:professional"], deny: ["prof:health"] });
    for (const category of ["prof:professional", "prof:health"]) {
      await giveNamedValue(engine, owner.profileId, { category, name: "note", value: "canary" });
    }
    expect((await read(owner)).shown).toEqual(["prof:professional"]);
  });

  test.each([
    ["disabled", { enabled: false }],
    ["expired", { expiresAt: new Date("2026-03-01T12:00:00.000Z") }],
    ["for another agent", { agentPattern: "did:prof:agent:local:other" }],
    ["for another namespace", { agentPattern: "did:prof:agent:elsewhere:*" }],
    ["for verified agents", { verifiedOnly: true }],
    ["to propose only", { permissions: ["propose" as const] }],
  ])("a policy that is %s shows nothing", async (_name, policy) => {
    const owner = await ownerOf(["prof:interests"], policy);
    expect((await read(owner)).shown).toEqual([]);
  });

  test("deniedScopes below a value are cut out of it, in the profile and in List Memories", async () => {
    const street = "prof:preferences.home.street";
    const list = "prof:preferences.list.street";
    const owner = await mintOwner(engine, {
      policies: [{ allow: ["prof:preferences"], deny: [street, list] }],
      common: { preferences: { list: [{ street: "CANARY", city: "Ulm" }] } },
    });
    const home = { street: "CANARY", city: "Bern" };
    const value = { category: "prof:preferences", name: "home", value: home };
    await giveNamedValue(engine, owner.profileId, value);
    const { client } = await mintAgent(engine);
    const scopes = ["prof:preferences.home", "prof:preferences.list"];
    const { data, meta } = await client.getProfile({ did: owner.did, scopes });
    expect(meta.deniedScopes).toEqual([street, list]);
    expect(data.common.preferences).toEqual({ list: [{ city: "Ulm" }] });
    expect(data.memories).toEqual({ "prof:preferences": { home: { city: "Bern" } } });
    const { data: lists } = await client.listMemories({ did: owner.did });
    expect(lists).toEqual({ "prof:preferences": { home: { city: "Bern" } } });
  });

  test("a policy may name one agent, which no other is", async () => {
    const owner = await ownerOf(["prof:interests"]);
    const [named, other] = [await mintAgent(engine), await mintAgent(engine)];
    await givePolicy(engine, owner.profileId, { agentPattern: named.did });
    const shownTo = async ({ client }: typeof named) =>
      Object.keys((await client.getProfile({ did: owner.did })).data.memories);
    expect(await shownTo(named)).toEqual(["prof:interests"]);
    expect(await shownTo(other)).toEqual([]);
  });

  test("an agent that an admin has verified may read what is for verified agents", async () => {
    const owner = await ownerOf(["prof:interests"], { verifiedOnly: true });
    const { client } = await mintAgent(engine, { verified: true });
    const { data } = await client.getProfile({ did: owner.did });
    expect(Object.keys(data.memories)).toEqual(["prof:interests"]);
  });

  test("an admin's ceiling caps what any policy gives", async () => {
    const owner = await ownerOf(["prof:interests", "prof:episodic"], { allow: ["prof:*"] });
    const { client } = await mintAgent(engine, { ceiling: ["prof:interests"] });
    const { data } = await client.getProfile({ did: owner.did });
    expect(Object.keys(data.memories)).toEqual(["prof:interests"]);
  });

  test("the owner reads the scopes that are asked for, and none is denied", async () => {
    const owner = await ownerOf(["prof:interests", "prof:health"], { deny: ["prof:*"], allow: [] });
    const { data, meta } = await owner.client.getProfile({
      did: owner.did,
      scopes: ["prof:health"],
    });
    expect(Object.keys(data.memories)).toEqual(["prof:health"]);
    expect(meta.deniedScopes).toBeUndefined();
  });

  test("50 scopes are taken; the same one twice counts once", async () => {
    const owner = await ownerOf(["prof:s0"], { allow: ["prof:s0"] });
    const scopes = Array.from({ length: 50 }, (_, index) => `prof:s${index}`);
    expect((await read(owner, scopes)).meta.deniedScopes).toHaveLength(49);
    const { meta } = await read(owner, ["prof:s0", "prof:other", "prof:other"]);
    expect(meta.deniedScopes).toEqual(["prof:other"]);
  });
});

describe("400 PROF006", () => {
  test.each([
    ["empty", "scopes="],
    ["an empty entry", "scopes=prof:a,,prof:b"],
    ["no prefix", "scopes=health"],
    ["another prefix", "scopes=other:health"],
    ["a wildcard in the middle", "scopes=prof:*.health"],
    ["an empty part", "scopes=prof:a..b"],
    ["a space", "scopes=prof:a b"],
    ["129 characters", `scopes=prof:${"a".repeat(60)}.${"b".repeat(63)}`],
    ["51 of them", `scopes=${Array.from({ length: 51 }, (_, i) => `prof:s${i}`).join(",")}`],
    ["the parameter twice", "scopes=prof:a&scopes=prof:b"],
  ])("scopes: %s", async (_name, query) => {
    const { did } = await mintOwner(engine);
    const agent = await mintAgent(engine);
    const target = profilePath(did, `?${query.replaceAll(" ", "%20")}`);
    const reply = await call(agent.client, { method: "GET", target });
    expect(reply).toMatchObject({ status: 400, body: { error: { code: "PROF006" } } });
    expect(issuePaths(reply)[0]).toMatch(/^query\.scopes/);
  });
});

describe("403 PROF004", () => {
  test.each([
    ["denied", { allow: ["prof:*"], deny: ["prof:health"] }],
    ["not allowed", { allow: ["prof:interests"] }],
  ])("a single scope that is %s", async (_name, policy) => {
    const owner = await ownerOf(["prof:health"], policy);
    await expect(read(owner, ["prof:health.*"])).rejects.toMatchObject({
      status: 403,
      code: "PROF004",
      message: expect.stringContaining("prof:health.*"),
      details: { deniedScopes: ["prof:health.*"] },
    });
  });
});
