import { describe, expect, test } from "vitest";
import { testEngine } from "@/tests/support/harness";
import { eventsOf, giveMemory, giveToken, mintAgent, mintOwner } from "@/tests/support/personas";
import { call, issuePaths } from "@/tests/support/wire";

// Spec, Implementation-specific endpoints 4: the variant without a DID.
const engine = await testEngine();

async function connected() {
  const owner = await mintOwner(engine, { policies: [{ allow: ["prof:interests", "prof:work"] }] });
  await giveMemory(engine, owner.profileId);
  await giveMemory(engine, owner.profileId, { category: "prof:work" });
  await giveMemory(engine, owner.profileId, { category: "prof:health" });
  const agent = await mintAgent(engine);
  const scopes = ["prof:interests", "prof:health"];
  return { owner, agent, ...(await giveToken(engine, { owner, agent, scopes })) };
}

const target = "/prof/v1/profile";

describe("200", () => {
  test("the token says whose profile; token and policies say what of it", async () => {
    const { owner, agent, client } = await connected();
    const { data } = await client.getOwnProfile({});
    expect(data.id).toBe(owner.did);
    expect(Object.keys(data.memories)).toEqual(["prof:interests"]);
    expect(await eventsOf(engine, owner.profileId)).toMatchObject([
      { verb: "getProfile", actorId: agent.did, outcome: "ok", items: { "prof:interests": 1 } },
    ]);
  });

  test("scopes narrow it, and the rest is told in meta.deniedScopes", async () => {
    const { client } = await connected();
    const { meta } = await client.getOwnProfile({ scopes: ["prof:interests", "prof:work"] });
    expect(meta.deniedScopes).toEqual(["prof:work"]);
  });
});

describe("400 PROF006", () => {
  test("with a signature, which does not say whose profile", async () => {
    const { owner, agent } = await connected();
    for (const { client } of [agent, owner]) {
      const reply = await call(client, { method: "GET", target });
      expect(reply).toMatchObject({ status: 400, body: { error: { code: "PROF006" } } });
      expect(issuePaths(reply)).toEqual(["path"]);
    }
  });

  test("with scopes that are none", async () => {
    const { client } = await connected();
    const reply = await call(client, { method: "GET", target: `${target}?scopes=work` });
    expect(reply.status).toBe(400);
  });
});

describe("401 PROF001", () => {
  test("without credentials", async () => {
    const { client } = await connected();
    const reply = await call(client, { method: "GET", target }, { Authorization: null });
    expect(reply).toMatchObject({ status: 401, body: { error: { code: "PROF001" } } });
  });
});

describe("403 PROF002", () => {
  test("while the profile is suspended", async () => {
    const { owner, client } = await connected();
    const where = { id: owner.profileId };
    await engine.db.profile.update({ where, data: { state: "suspended" } });
    await expect(client.getOwnProfile({})).rejects.toMatchObject({ status: 403, code: "PROF002" });
  });
});

describe("403 PROF004", () => {
  test("when nothing of what was asked is allowed", async () => {
    const { client } = await connected();
    await expect(client.getOwnProfile({ scopes: ["prof:work"] })).rejects.toMatchObject({
      status: 403,
      code: "PROF004",
      details: { deniedScopes: ["prof:work"] },
    });
  });
});
