import { describe, expect, test } from "vitest";
import { testEngine } from "@/tests/support/harness";
import {
  eventsOf,
  giveToken,
  mintAgent,
  mintOwner,
  type Owner,
  type TokenGiven,
} from "@/tests/support/personas";
import { call, issuePaths } from "@/tests/support/wire";

// Spec, Implementation-specific endpoints 4: the variant without a DID.
const engine = await testEngine();

async function connected(given: TokenGiven = { permissions: ["propose"] }) {
  const owner = await mintOwner(engine, { policies: [{ permissions: ["propose"] }] });
  const agent = await mintAgent(engine);
  return { owner, agent, ...(await giveToken(engine, { owner, agent, ...given })) };
}

const tea = { content: "Prefers tea to coffee.", category: "prof:preferences.drinks" };
const request = {
  method: "POST",
  target: "/prof/v1/profile/memories/propose",
  body: JSON.stringify(tea),
};

function countOf({ profileId }: Owner): Promise<number> {
  return engine.db.proposal.count({ where: { profileId } });
}

describe("201", () => {
  test("a proposal to the token's profile, in the name of its agent", async () => {
    const { owner, agent, client } = await connected();
    const { status, data } = await client.proposeOwnMemory(tea);
    expect(status).toBe(201);
    const stored = await engine.db.proposal.findUnique({ where: { id: data.proposalId } });
    expect(stored).toMatchObject({ profileId: owner.profileId, agentDid: agent.did, ...tea });
    expect(await eventsOf(engine, owner.profileId)).toMatchObject([
      { verb: "proposeMemory", actorId: agent.did, outcome: "ok", subjectId: data.proposalId },
    ]);
  });
});

describe("200", () => {
  test("a repeated proposal by either path returns the pending one", async () => {
    const { owner, agent, client } = await connected();
    const first = await agent.client.proposeMemory({ did: owner.did, ...tea });
    const again = await client.proposeOwnMemory(tea);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.data).toEqual(first.data);
  });
});

describe("400 PROF006", () => {
  test("with a signature, which does not say whose profile", async () => {
    const { owner, agent } = await connected();
    for (const { client } of [agent, owner]) {
      const reply = await call(client, request);
      expect(reply).toMatchObject({ status: 400, body: { error: { code: "PROF006" } } });
      expect(issuePaths(reply)).toEqual(["path"]);
    }
    expect(await countOf(owner)).toBe(0);
  });

  test("with a body that is no proposal", async () => {
    const { owner, client } = await connected();
    const reply = await call(client, { ...request, body: "{}" });
    expect(issuePaths(reply)).toEqual(["body.content", "body.category"]);
    expect(await countOf(owner)).toBe(0);
  });
});

describe("401 PROF001", () => {
  test("without credentials", async () => {
    const { owner, client } = await connected();
    const reply = await call(client, request, { Authorization: null });
    expect(reply).toMatchObject({ status: 401, body: { error: { code: "PROF001" } } });
    expect(await countOf(owner)).toBe(0);
  });
});

describe("403 PROF002", () => {
  test("for a token without the permission propose; the refusal is on record", async () => {
    const { owner, client } = await connected({ permissions: ["read"] });
    const proposing = client.proposeOwnMemory(tea);
    await expect(proposing).rejects.toMatchObject({ status: 403, code: "PROF002" });
    expect(await countOf(owner)).toBe(0);
    expect(await eventsOf(engine, owner.profileId)).toMatchObject([{ outcome: "PROF002" }]);
  });
});

describe("403 PROF004", () => {
  test("for a category beyond the token's scopes", async () => {
    const { client } = await connected({ permissions: ["propose"], scopes: ["prof:interests"] });
    await expect(client.proposeOwnMemory(tea)).rejects.toMatchObject({
      status: 403,
      code: "PROF004",
      details: { deniedScopes: [tea.category] },
    });
  });
});
