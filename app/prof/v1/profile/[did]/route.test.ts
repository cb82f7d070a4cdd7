import { describe, expect, test } from "vitest";
import { testEngine } from "@/tests/support/harness";
import {
  eventsOf,
  giveMemory,
  giveNamedValue,
  givePolicy,
  giveToken,
  mintAgent,
  mintOwner,
} from "@/tests/support/personas";
import { call, issuePaths, profilePath } from "@/tests/support/wire";

const engine = await testEngine();

describe("200", () => {
  test("an agent reads what the policies let it see, and the owner finds one event of it", async () => {
    const owner = await mintOwner(engine, {
      policies: [{ allow: ["prof:*"], deny: ["prof:health"] }],
      common: { preferences: { language: "en" }, identity: { displayName: "Alice" } },
    });
    const agent = await mintAgent(engine);
    const walks = await giveMemory(engine, owner.profileId);
    await giveMemory(engine, owner.profileId, { category: "prof:health.sleep", content: "canary" });

    const { status, data, meta } = await agent.client.getProfile({ did: owner.did });

    expect(status).toBe(200);
    expect(data).toMatchObject({
      id: owner.did,
      profileType: "human",
      version: "1.0",
      common: { preferences: { language: "en" }, identity: { displayName: "Alice" } },
    });
    expect(data.memories).toEqual({
      "prof:interests": [expect.objectContaining({ id: walks.id, content: "Likes long walks." })],
    });
    expect(JSON.stringify(data)).not.toContain("canary");
    expect(meta.deniedScopes).toBeUndefined();
    const [event] = await eventsOf(engine, owner.profileId);
    expect(event).toMatchObject({
      actor: "agent",
      actorId: agent.did,
      verb: "getProfile",
      outcome: "ok",
      requestId: meta.requestId,
      items: expect.objectContaining({ "prof:interests": 1 }),
    });
  });

  test("data is a Profile: id, profileType, version, common, memories and nothing else", async () => {
    const owner = await mintOwner(engine, { policies: [{}] });
    const agent = await mintAgent(engine);
    const { body } = await call(agent.client, { method: "GET", target: profilePath(owner.did) });
    expect(body).toEqual({
      success: true,
      data: {
        id: owner.did,
        profileType: "human",
        version: "1.0",
        common: { preferences: {} },
        memories: {},
      },
      meta: {
        requestId: expect.stringMatching(/^req_[0-9A-Za-z]{22}$/),
        timestamp: "2026-03-01T12:00:00.000Z",
      },
    });
  });

  test.each(["human", "agent", "entity"] as const)("profileType %s", async (profileType) => {
    const owner = await mintOwner(engine);
    await engine.db.profile.update({ where: { id: owner.profileId }, data: { profileType } });
    const { data } = await owner.client.getProfile({ did: owner.did });
    expect(data.profileType).toBe(profileType);
  });

  test("a memory has the fields of the specification, and whose it is and who approved it", async () => {
    const owner = await mintOwner(engine);
    const createdAt = new Date("2026-02-03T04:05:06.070Z");
    const { id } = await giveMemory(engine, owner.profileId, { createdAt, confidence: 0.25 });
    const { data } = await owner.client.getProfile({ did: owner.did });
    expect(data.memories["prof:interests"]).toEqual([
      {
        id,
        content: "Likes long walks.",
        confidence: 0.25,
        category: "prof:interests",
        createdAt: "2026-02-03T04:05:06.070Z",
        ...{ source: "owner", approvedBy: "owner", approvedAt: "2026-02-03T04:05:06.070Z" },
        ...{ flags: [], supersedes: null },
      },
    ]);
    expect(id).toMatch(/^mem_[0-9A-Za-z]{22}$/);
  });

  test.each([
    "2026-02-03T04:05:06.000Z",
    "2026-02-03T04:05:06.700Z",
    "2026-02-03T04:05:06.789Z",
    "0001-01-01T00:00:00.000Z",
    "9999-12-31T23:59:59.999Z",
  ])("createdAt is told to the millisecond, as it was: %s", async (createdAt) => {
    const owner = await mintOwner(engine);
    await giveMemory(engine, owner.profileId, { createdAt: new Date(createdAt) });
    const { data } = await owner.client.getProfile({ did: owner.did });
    expect(data.memories["prof:interests"]).toMatchObject([{ createdAt }]);
    const listed = await owner.client.listMemories({ did: owner.did });
    expect(listed.data).toMatchObject({ "prof:interests": [{ createdAt }] });
  });

  test("the DID in the path may come percent-encoded or plain", async () => {
    const owner = await mintOwner(engine);
    for (const did of [owner.did, encodeURIComponent(owner.did)]) {
      const target = `/prof/v1/profile/${did}`;
      expect((await call(owner.client, { method: "GET", target })).status).toBe(200);
    }
  });

  test("without a policy an empty profile is shown", async () => {
    const owner = await mintOwner(engine, { common: { preferences: { language: "en" } } });
    const agent = await mintAgent(engine);
    const { data } = await agent.client.getProfile({ did: owner.did });
    expect(data.common).toEqual({ preferences: {} });
    expect(data.memories).toEqual({});
  });

  test("the owner sees everything, with an event as the owner", async () => {
    const owner = await mintOwner(engine, { common: { preferences: { a: 1 } } });
    await giveMemory(engine, owner.profileId, { category: "prof:health" });
    const { data } = await owner.client.getProfile({ did: owner.did });
    expect(Object.keys(data.memories)).toEqual(["prof:health"]);
    expect(data.common.preferences).toEqual({ a: 1 });
    const [event] = await eventsOf(engine, owner.profileId);
    expect(event).toMatchObject({ actor: "owner", actorId: owner.did, verb: "getProfile" });
  });

  test("a category shows its newest 50 records, and meta.truncated names it", async () => {
    const owner = await mintOwner(engine);
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
    for (let minute = 0; minute < 51; minute++) {
      await giveMemory(engine, owner.profileId, {
        createdAt: at(minute),
        content: `minute ${minute}`,
      });
    }
    await giveMemory(engine, owner.profileId, { category: "prof:episodic" });
    const { data, meta } = await owner.client.getProfile({ did: owner.did });
    const shown = data.memories["prof:interests"];
    expect(shown).toHaveLength(50);
    expect(shown).toMatchObject({ 0: { content: "minute 50" }, 49: { content: "minute 1" } });
    expect(meta.truncated).toEqual(["prof:interests"]);
  });

  test("named values make an object, whose member memories holds the records", async () => {
    const owner = await mintOwner(engine);
    const category = "prof:professional";
    await giveNamedValue(engine, owner.profileId, { category, name: "occupation", value: "nurse" });
    await giveNamedValue(engine, owner.profileId, { category, name: "skills", value: ["triage"] });
    const { id } = await giveMemory(engine, owner.profileId, { category });
    const { data } = await owner.client.getProfile({ did: owner.did });
    expect(data.memories[category]).toEqual({
      occupation: "nurse",
      skills: ["triage"],
      memories: [expect.objectContaining({ id })],
    });
  });

  test("archived and deleted memories are not shown, not even to the owner", async () => {
    const owner = await mintOwner(engine);
    await giveMemory(engine, owner.profileId, { archivedAt: engine.now() });
    await giveMemory(engine, owner.profileId, { deletedAt: engine.now() });
    expect((await owner.client.getProfile({ did: owner.did })).data.memories).toEqual({});
  });
});

describe("400 PROF006", () => {
  test.each(["alice", "did:web:example.org", "DID:PROF:user:local:alice", "did:prof"])(
    "a did that does not start with did:prof: (%s)",
    async (did) => {
      const agent = await mintAgent(engine);
      const reply = await call(agent.client, { method: "GET", target: profilePath(did) });
      expect(reply).toMatchObject({ status: 400, body: { error: { code: "PROF006" } } });
      expect(issuePaths(reply)).toEqual(["path.did"]);
    },
  );
});

describe("401 PROF001", () => {
  test("without credentials, also for a profile that does not exist", async () => {
    const owner = await mintOwner(engine);
    for (const did of [owner.did, "did:prof:user:local:nobody", "not a did"]) {
      const request = { method: "GET", target: profilePath(did) };
      const reply = await call(owner.client, request, { Authorization: null });
      expect(reply).toMatchObject({ status: 401, body: { error: { code: "PROF001" } } });
    }
    expect(await eventsOf(engine, owner.profileId)).toEqual([]);
  });
});

describe("403 PROF002", () => {
  test("for another user, and the owner finds the refusal", async () => {
    const owner = await mintOwner(engine, { policies: [{ allow: ["prof:*"] }] });
    const other = await mintOwner(engine);
    const reading = other.client.getProfile({ did: owner.did });
    await expect(reading).rejects.toMatchObject({ status: 403, code: "PROF002" });
    const [event] = await eventsOf(engine, owner.profileId);
    expect(event).toMatchObject({ actorId: other.did, outcome: "PROF002", items: {} });
  });

  test("for a token of another profile", async () => {
    const owner = await mintOwner(engine, { policies: [{}] });
    const elsewhere = await mintOwner(engine);
    const agent = await mintAgent(engine);
    const { client } = await giveToken(engine, { owner: elsewhere, agent });
    const reading = client.getProfile({ did: owner.did });
    await expect(reading).rejects.toMatchObject({ status: 403, code: "PROF002" });
  });

  test("for everybody while the profile is suspended", async () => {
    const owner = await mintOwner(engine, { policies: [{}] });
    const agent = await mintAgent(engine);
    await engine.db.profile.update({
      where: { id: owner.profileId },
      data: { state: "suspended" },
    });
    for (const { client } of [owner, agent]) {
      const reading = client.getProfile({ did: owner.did });
      await expect(reading).rejects.toMatchObject({ status: 403, code: "PROF002" });
    }
  });
});

describe("403 PROF004", () => {
  test("when nothing of what was asked is allowed, the first scope is named", async () => {
    const owner = await mintOwner(engine);
    const agent = await mintAgent(engine);
    await givePolicy(engine, owner.profileId, { allow: ["prof:interests"] });
    const scopes = ["prof:health", "prof:episodic"];
    await expect(agent.client.getProfile({ did: owner.did, scopes })).rejects.toMatchObject({
      status: 403,
      code: "PROF004",
      message: expect.stringContaining("prof:health"),
      details: { deniedScopes: ["prof:health", "prof:episodic"] },
    });
    const [event] = await eventsOf(engine, owner.profileId);
    expect(event).toMatchObject({ outcome: "PROF004", denied: scopes });
  });
});

describe("404 PROF003", () => {
  test.each([
    ["an unknown user", "did:prof:user:local:nobody"],
    ["an agent", "did:prof:agent:local:iris"],
    ["a kind there is not", "did:prof:group:local:alice"],
    ["too few parts", "did:prof:user:local"],
    ["no parts", "did:prof:"],
    ["a name longer than any", `did:prof:user:local:${"a".repeat(200)}`],
  ])("%s", async (_name, did) => {
    const agent = await mintAgent(engine);
    const reading = agent.client.getProfile({ did });
    await expect(reading).rejects.toMatchObject({ status: 404, code: "PROF003" });
  });
});
