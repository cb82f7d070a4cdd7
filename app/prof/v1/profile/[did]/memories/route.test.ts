import { describe, expect, test } from "vitest";
import { testEngine } from "@/tests/support/harness";
import {
  eventsOf,
  giveMemory,
  giveNamedValue,
  giveToken,
  mintAgent,
  mintOwner,
  type PolicyGiven,
} from "@/tests/support/personas";
import { call, issuePaths, profilePath } from "@/tests/support/wire";

const engine = await testEngine();

async function pair(...policies: PolicyGiven[]) {
  const owner = await mintOwner(engine, { policies });
  return { owner, agent: await mintAgent(engine) };
}

async function giveEach(profileId: number, categories: string[]) {
  for (const category of categories) await giveMemory(engine, profileId, { category });
}

describe("200", () => {
  test("a memory that took another's place names that one, and for how long it was valid", async () => {
    const { owner, agent } = await pair({});
    const from = new Date("2026-02-01T00:00:00.000Z");
    const until = new Date("2026-02-03T00:00:00.000Z");
    const { id } = await giveMemory(engine, owner.profileId, { createdAt: until });
    const old = { createdAt: from, archivedAt: until, replacedById: id };
    const { id: memoryId } = await giveMemory(engine, owner.profileId, old);
    await giveMemory(engine, owner.profileId, { ...old, category: "prof:x" });
    const { data } = await agent.client.listMemories({ did: owner.did });
    const supersedes = { memoryId, validFrom: from.toISOString(), validTo: until.toISOString() };
    expect(data).toMatchObject({ "prof:interests": [{ id, supersedes }] });
  });

  test("data is keyed by category: records in an array, named values in an object", async () => {
    const { owner, agent } = await pair({});
    const category = "prof:professional";
    await giveNamedValue(engine, owner.profileId, { category, name: "occupation", value: "nurse" });
    await giveNamedValue(engine, owner.profileId, { category, name: "skills", value: ["triage"] });
    const { id } = await giveMemory(engine, owner.profileId, {
      category: "prof:episodic",
      content: "Moved to Lyon.",
      confidence: 0.75,
      createdAt: new Date("2026-02-01T00:00:00.000Z"),
    });

    const { status, data, meta } = await agent.client.listMemories({ did: owner.did });

    expect(status).toBe(200);
    expect(data).toEqual({
      "prof:professional": { occupation: "nurse", skills: ["triage"] },
      "prof:episodic": [
        {
          id,
          content: "Moved to Lyon.",
          confidence: 0.75,
          category: "prof:episodic",
          createdAt: "2026-02-01T00:00:00.000Z",
          ...{ source: "owner", approvedBy: "owner", approvedAt: "2026-02-01T00:00:00.000Z" },
          ...{ flags: [], supersedes: null },
        },
      ],
    });
    expect(meta).toMatchObject({ count: 1, total: 1, limit: 50, offset: 0 });
    const [event] = await eventsOf(engine, owner.profileId);
    expect(event).toMatchObject({
      actor: "agent",
      actorId: agent.did,
      verb: "listMemories",
      outcome: "ok",
      items: { "prof:professional": 2, "prof:episodic": 1 },
      requestId: meta.requestId,
    });
  });

  test("a category with both shows the object, the records under its member memories", async () => {
    const { owner, agent } = await pair({});
    const category = "prof:professional";
    await giveNamedValue(engine, owner.profileId, { category, name: "occupation", value: "nurse" });
    const { id } = await giveMemory(engine, owner.profileId, { category });
    const { data } = await agent.client.listMemories({ did: owner.did });
    expect(data[category]).toEqual({
      occupation: "nurse",
      memories: [expect.objectContaining({ id })],
    });
  });

  test("category filters to itself and everything below it, and no neighbour", async () => {
    const { owner, agent } = await pair({});
    await giveEach(owner.profileId, ["prof:a", "prof:a.b", "prof:a.b.c", "prof:ab", "prof:b"]);
    const { data, meta } = await agent.client.listMemories({ did: owner.did, category: "prof:a" });
    expect(Object.keys(data).sort()).toEqual(["prof:a", "prof:a.b", "prof:a.b.c"]);
    expect(meta).toMatchObject({ count: 3, total: 3 });
    const [event] = await eventsOf(engine, owner.profileId);
    expect(event).toMatchObject({ asked: ["prof:a"], granted: ["prof:a"], denied: [] });
  });

  test("hidden memories are neither shown nor counted", async () => {
    const { owner, agent } = await pair({ allow: ["prof:*"], deny: ["prof:health"] });
    await giveEach(owner.profileId, ["prof:a", "prof:health", "prof:health.sleep"]);
    const { data, meta } = await agent.client.listMemories({ did: owner.did });
    expect(Object.keys(data)).toEqual(["prof:a"]);
    expect(meta).toMatchObject({ count: 1, total: 1 });
  });

  test("without a policy an empty object is shown", async () => {
    const { owner, agent } = await pair();
    await giveEach(owner.profileId, ["prof:a"]);
    const { data, meta } = await agent.client.listMemories({ did: owner.did });
    expect(data).toEqual({});
    expect(meta).toMatchObject({ count: 0, total: 0 });
  });

  test("a category without memories is an empty object where the agent may read it", async () => {
    const { owner, agent } = await pair({});
    const { data } = await agent.client.listMemories({ did: owner.did, category: "prof:none" });
    expect(data).toEqual({});
  });

  test("the owner sees every category", async () => {
    const { owner } = await pair();
    await giveEach(owner.profileId, ["prof:a", "prof:health"]);
    const { data } = await owner.client.listMemories({ did: owner.did });
    expect(Object.keys(data).sort()).toEqual(["prof:a", "prof:health"]);
  });

  test("archived and deleted memories are not listed", async () => {
    const { owner } = await pair();
    await giveMemory(engine, owner.profileId, { archivedAt: engine.now() });
    await giveMemory(engine, owner.profileId, { deletedAt: engine.now() });
    const { id } = await giveMemory(engine, owner.profileId);
    const { data, meta } = await owner.client.listMemories({ did: owner.did });
    expect(data).toEqual({ "prof:interests": [expect.objectContaining({ id })] });
    expect(meta).toMatchObject({ count: 1, total: 1 });
  });

  test("a token shows what lies in its scopes and in the policies", async () => {
    const { owner, agent } = await pair({ allow: ["prof:a", "prof:b"] });
    await giveEach(owner.profileId, ["prof:a", "prof:b", "prof:c"]);
    const { client } = await giveToken(engine, { owner, agent, scopes: ["prof:b", "prof:c"] });
    const { data, meta } = await client.listMemories({ did: owner.did });
    expect(Object.keys(data)).toEqual(["prof:b"]);
    expect(meta.total).toBe(1);
  });

  test("a policy with purposes opens under a live receipt for one of them", async () => {
    const { owner, agent } = await pair({ purposes: ["support"] });
    await giveEach(owner.profileId, ["prof:a"]);
    const { did } = owner;
    expect((await agent.client.listMemories({ did })).data).toEqual({});
    await agent.client.requestAccess({ did, scopes: ["prof:*"], purpose: { type: "support" } });
    expect(Object.keys((await agent.client.listMemories({ did })).data)).toEqual(["prof:a"]);
  });
});

describe("400 PROF006", () => {
  test.each([
    ["category", "prof:a.*"],
    ["category", "a"],
    ["category", ""],
    ["category", "prof:*"],
    ["limit", "0"],
    ["limit", "-1"],
    ["limit", "1.5"],
    ["limit", "1e2"],
    ["limit", "0x10"],
    ["limit", "ten"],
    ["limit", ""],
    ["limit", "%201"],
    ["offset", "-1"],
    ["offset", "0.5"],
    ["offset", "NaN"],
    ["offset", "٣"],
  ])("%s=%s", async (name, value) => {
    const { owner, agent } = await pair({});
    const target = profilePath(owner.did, `/memories?${name}=${value}`);
    const reply = await call(agent.client, { method: "GET", target });
    expect(reply).toMatchObject({ status: 400, body: { error: { code: "PROF006" } } });
    expect(issuePaths(reply)).toEqual([`query.${name}`]);
  });

  test.each(["limit=1&limit=2", "offset=1&offset=2", "category=prof:a&category=prof:b"])(
    "a parameter that comes twice: %s",
    async (query) => {
      const { owner, agent } = await pair({});
      const target = profilePath(owner.did, `/memories?${query}`);
      expect((await call(agent.client, { method: "GET", target })).status).toBe(400);
    },
  );
});

describe("401 PROF001", () => {
  test("without credentials", async () => {
    const { owner, agent } = await pair({});
    const request = { method: "GET", target: profilePath(owner.did, "/memories") };
    const reply = await call(agent.client, request, { Authorization: null });
    expect(reply).toMatchObject({ status: 401, body: { error: { code: "PROF001" } } });
  });
});

describe("403 PROF002", () => {
  test("for another user; the refusal is on record", async () => {
    const { owner } = await pair({});
    const other = await mintOwner(engine);
    const listing = other.client.listMemories({ did: owner.did });
    await expect(listing).rejects.toMatchObject({ status: 403, code: "PROF002" });
    const [event] = await eventsOf(engine, owner.profileId);
    expect(event).toMatchObject({ verb: "listMemories", outcome: "PROF002", items: {} });
  });
});

describe("403 PROF004", () => {
  test.each([
    ["one that asks", { allow: ["prof:interests"] }],
    ["a denied one", { allow: ["prof:*"], deny: ["prof:health"] }],
  ])("category: %s", async (_name, policy) => {
    const { owner, agent } = await pair(policy);
    await giveEach(owner.profileId, ["prof:health"]);
    const listing = agent.client.listMemories({ did: owner.did, category: "prof:health" });
    await expect(listing).rejects.toMatchObject({
      status: 403,
      code: "PROF004",
      message: expect.stringContaining("prof:health"),
      details: { deniedScopes: ["prof:health"] },
    });
    const [event] = await eventsOf(engine, owner.profileId);
    expect(event).toMatchObject({ outcome: "PROF004", denied: ["prof:health"], items: {} });
  });
});

describe("404 PROF003", () => {
  test("for a DID that names no profile", async () => {
    const { client } = await mintAgent(engine);
    const listing = client.listMemories({ did: "did:prof:user:local:nobody" });
    await expect(listing).rejects.toMatchObject({ status: 404, code: "PROF003" });
  });
});
