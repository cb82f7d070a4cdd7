import { describe, expect, test } from "vitest";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  eventsOf,
  giveMemory,
  giveProposal,
  giveToken,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  type ProposalGiven,
} from "@/tests/support/personas";
import { call, issuePaths, profilePath } from "@/tests/support/wire";

const engine = await testEngine();
const ago = (ms: number) => new Date(testNow.getTime() - ms);

async function pair() {
  return { owner: await mintOwner(engine), agent: await mintAgent(engine) };
}

function give({ profileId }: Owner, { did: agentDid }: Minted, given: ProposalGiven = {}) {
  return giveProposal(engine, { profileId, agentDid, ...given });
}

/** One proposal in each state, and one that ran out and was not swept yet. */
async function oneOfEach(owner: Owner, agent: Minted) {
  const reviewedAt = ago(1_000);
  const pending = await give(owner, agent, { proposedAt: ago(10_000) });
  const approved = await give(owner, agent, {
    status: "approved",
    proposedAt: ago(20_000),
    reviewedAt,
  });
  const rejected = await give(owner, agent, {
    status: "rejected",
    proposedAt: ago(30_000),
    reviewedAt,
    reason: "Not true any more.",
  });
  const expired = await give(owner, agent, { proposedAt: ago(40_000), expiresAt: testNow });
  return { pending, approved, rejected, expired };
}

describe("200", () => {
  test("data is an array of proposals: id, agentDid, content, category, confidence, status, proposedAt and ours", async () => {
    const { owner, agent } = await pair();
    const { id } = await give(owner, agent, { content: "Likes tea.", context: "Said so." });

    const { status, data, meta } = await owner.client.listProposals({ did: owner.did });

    expect(status).toBe(200);
    expect(data).toEqual([
      {
        id,
        userDid: owner.did,
        agentDid: agent.did,
        content: "Likes tea.",
        category: "prof:interests",
        confidence: 0.7,
        context: "Said so.",
        status: "pending",
        proposedAt: testNow.toISOString(),
        expiresAt: new Date(testNow.getTime() + 7 * 86_400_000).toISOString(),
      },
    ]);
    expect(meta).toMatchObject({ count: 1, total: 1, limit: 100, offset: 0 });
    expect(await eventsOf(engine, owner.profileId)).toMatchObject([
      { actor: "owner", verb: "listProposals", outcome: "ok", requestId: meta.requestId },
    ]);
  });

  test("once decided, an item also has reviewedAt, reason and memoryId", async () => {
    const { owner, agent } = await pair();
    const { approved } = await oneOfEach(owner, agent);
    const { id: memoryId } = await giveMemory(engine, owner.profileId, { proposalId: approved.id });
    const { data } = await owner.client.listProposals({ did: owner.did });
    const reviewedAt = ago(1_000).toISOString();
    expect(data[1]).toMatchObject({ status: "approved", reviewedAt, memoryId });
    expect(data[2]).toMatchObject({ status: "rejected", reviewedAt, reason: "Not true any more." });
    expect(data[0]).not.toHaveProperty("reviewedAt");
  });

  test.each([
    ["pending", ["pending"]],
    ["approved", ["approved"]],
    ["rejected", ["rejected", "expired"]],
    [undefined, ["pending", "approved", "rejected", "expired"]],
  ] as const)("status=%s shows, newest first, %j", async (status, names) => {
    const { owner, agent } = await pair();
    const all = await oneOfEach(owner, agent);
    const { data, meta } = await owner.client.listProposals({ did: owner.did, status });
    expect(data.map(({ id }) => id)).toEqual(names.map((name) => all[name].id));
    expect(meta).toMatchObject({ count: names.length, total: names.length });
  });

  test("past its expiresAt a proposal counts as rejected with reason expired, from that instant", async () => {
    const { owner, agent } = await pair();
    const { id, expiresAt } = await give(owner, agent);
    engine.setNow(new Date(expiresAt.getTime() - 1));
    const before = await owner.client.listProposals({ did: owner.did });
    expect(before.data).toMatchObject([{ id, status: "pending" }]);
    engine.setNow(expiresAt);
    const after = await owner.client.listProposals({ did: owner.did });
    engine.setNow(testNow);
    expect(after.data).toMatchObject([
      { id, status: "rejected", reason: "expired", reviewedAt: expiresAt.toISOString() },
    ]);
  });

  test("limit and offset page through; meta.count is the page, meta.total all that match", async () => {
    const { owner, agent } = await pair();
    const given = [];
    for (const ms of [1, 2, 3]) given.push(await give(owner, agent, { proposedAt: ago(ms) }));
    const { did } = owner;
    const first = await owner.client.listProposals({ did, limit: 2 });
    const second = await owner.client.listProposals({ did, limit: 2, offset: 2 });
    const listed = [...first.data, ...second.data].map(({ id }) => id);
    expect(listed).toEqual(given.map(({ id }) => id));
    expect(first.meta).toMatchObject({ count: 2, total: 3, limit: 2, offset: 0 });
    expect(second.meta).toMatchObject({ count: 1, total: 3, limit: 2, offset: 2 });
    const { meta } = await owner.client.listProposals({ did, limit: 900, offset: 9 });
    expect(meta).toMatchObject({ count: 0, total: 3, limit: 200, offset: 9 });
  });

  test("without limit 100 are shown", async () => {
    const { owner, agent } = await pair();
    for (let nth = 0; nth < 101; nth++) await give(owner, agent);
    const { data, meta } = await owner.client.listProposals({ did: owner.did });
    expect(data).toHaveLength(100);
    expect(meta).toMatchObject({ count: 100, total: 101, limit: 100 });
  });

  test("an agent sees its own proposals only, by key and by token", async () => {
    const { owner, agent } = await pair();
    const other = await mintAgent(engine);
    const own = await give(owner, agent);
    await give(owner, other);
    await give(owner, owner);
    const { client: token } = await giveToken(engine, { owner, agent });
    for (const client of [agent.client, token]) {
      const { data, meta } = await client.listProposals({ did: owner.did });
      expect(data.map(({ id }) => id)).toEqual([own.id]);
      expect(meta).toMatchObject({ count: 1, total: 1 });
    }
    const all = await owner.client.listProposals({ did: owner.did });
    expect(all.meta.total).toBe(3);
  });

  test.each([
    [["prof:health"], 1],
    [["prof:interests.*"], 2],
    [["prof:interests", "prof:health"], 3],
    [["prof:interest"], 0],
    [["prof:*"], 4],
  ])("a token with %j lists and counts %i of four proposals", async (scopes, total) => {
    const { owner, agent } = await pair();
    for (const category of ["health", "interests", "interests.tea", "identity"]) {
      await give(owner, agent, { category: `prof:${category}` });
    }
    const { client } = await giveToken(engine, { owner, agent, scopes });
    const { data, meta } = await client.listProposals({ did: owner.did });
    expect(data).toHaveLength(total);
    expect(meta).toMatchObject({ count: total, total });
  });

  test("proposals of another profile are not shown", async () => {
    const { owner, agent } = await pair();
    await give(await mintOwner(engine), agent);
    expect((await owner.client.listProposals({ did: owner.did })).data).toEqual([]);
    expect((await agent.client.listProposals({ did: owner.did })).data).toEqual([]);
  });
});

describe("400 PROF006", () => {
  test.each([
    ["status", "open"],
    ["status", "Pending"],
    ["status", "expired"],
    ["status", ""],
    ["status", "pending,approved"],
    ["limit", "0"],
    ["limit", "x"],
    ["offset", "-1"],
  ])("%s=%s", async (name, value) => {
    const { owner } = await pair();
    const target = profilePath(owner.did, `/proposals?${name}=${value}`);
    const reply = await call(owner.client, { method: "GET", target });
    expect(reply).toMatchObject({ status: 400, body: { error: { code: "PROF006" } } });
    expect(issuePaths(reply)).toEqual([`query.${name}`]);
  });
});

describe("401 PROF001", () => {
  test("without credentials", async () => {
    const { owner } = await pair();
    const request = { method: "GET", target: profilePath(owner.did, "/proposals") };
    const reply = await call(owner.client, request, { Authorization: null });
    expect(reply).toMatchObject({ status: 401, body: { error: { code: "PROF001" } } });
  });
});

describe("403 PROF002", () => {
  test("for another user; the refusal is on record", async () => {
    const { owner } = await pair();
    const other = await mintOwner(engine);
    const listing = other.client.listProposals({ did: owner.did });
    await expect(listing).rejects.toMatchObject({ status: 403, code: "PROF002" });
    expect(await eventsOf(engine, owner.profileId)).toMatchObject([
      { verb: "listProposals", outcome: "PROF002", actorId: other.did },
    ]);
  });
});

describe("404 PROF003", () => {
  test("for a DID that names no profile", async () => {
    const { client } = await mintAgent(engine);
    const listing = client.listProposals({ did: "did:prof:user:local:nobody" });
    await expect(listing).rejects.toMatchObject({ status: 404, code: "PROF003" });
  });
});
