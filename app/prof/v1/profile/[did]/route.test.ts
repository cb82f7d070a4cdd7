import { describe, expect, test } from "vitest";
import { testEngine } from "@/lib/testing/harness";
import { eventsOf, giveMemory, givePolicy, mintAgent, mintOwner } from "@/lib/testing/personas";

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

  test("without a policy an empty profile is shown", async () => {
    const owner = await mintOwner(engine, { common: { preferences: { language: "en" } } });
    const agent = await mintAgent(engine);
    const { data } = await agent.client.getProfile({ did: owner.did });
    expect(data.common).toEqual({ preferences: {} });
    expect(data.memories).toEqual({});
  });

  test("the owner sees everything", async () => {
    const owner = await mintOwner(engine, { common: { preferences: { a: 1 } } });
    await giveMemory(engine, owner.profileId, { category: "prof:health" });
    const { data } = await owner.client.getProfile({ did: owner.did });
    expect(Object.keys(data.memories)).toEqual(["prof:health"]);
    expect(data.common.preferences).toEqual({ a: 1 });
  });
});

describe("403 PROF004", () => {
  test("when nothing of what was asked is allowed, the first scope is named", async () => {
    const owner = await mintOwner(engine);
    const agent = await mintAgent(engine);
    await givePolicy(engine, owner.profileId, { allow: ["prof:interests"] });
    const asking = agent.client.getProfile({ did: owner.did, scopes: ["prof:health", "prof:episodic"] });
    await expect(asking).rejects.toMatchObject({
      status: 403,
      code: "PROF004",
      message: expect.stringContaining("prof:health"),
      details: { deniedScopes: ["prof:health", "prof:episodic"] },
    });
    const [event] = await eventsOf(engine, owner.profileId);
    expect(event).toMatchObject({ outcome: "PROF004", denied: ["prof:health", "prof:episodic"] });
  });
});
