import { describe, expect, test } from "vitest";
import type { Caller } from "@/lib/rules/may";
import { testEngine, testNow } from "@/tests/support/harness";
import { giveMemory, giveProposal } from "@/tests/support/personas";
import { signUp } from "./accounts/accounts";
import type { Ctx } from "./context";
import { countForNavigation, getOverview } from "./overview";

const engine = await testEngine();
const { db, pool, live, shares, cache } = engine;
const hour = 60 * 60_000;
const at = (ms: number) => new Date(testNow.getTime() + ms);

function ctx(caller: Caller): Ctx {
  return {
    db,
    pool,
    caller,
    now: testNow,
    requestId: "req_test",
    shares,
    cache,
    announce: live.announce,
  };
}

async function owner(handle: string) {
  const account = { handle, email: `${handle}@example.com`, name: "Alice", passwordHash: "hash" };
  const where = { namespace: "local", open: true };
  const { userId, did } = await signUp(ctx({ kind: "nobody" }), { ...account, ...where });
  const { id } = await db.profile.findUniqueOrThrow({ where: { did } });
  return { id, did, ctx: ctx({ kind: "person", userId, role: "user", sessionId: null }) };
}

describe("the overview of a profile", () => {
  test("starts empty", async () => {
    const alice = await owner("alice");
    expect(await getOverview(alice.ctx, alice.id)).toEqual({
      did: alice.did,
      displayName: "Alice",
      proposals: { count: 0, sensitive: 0, nextEnd: null, claim: null, agents: [] },
      hasProposals: false,
      requests: 0,
    });
    const none = { proposals: 0, requests: 0, memories: 0 };
    expect(await countForNavigation(alice.ctx, alice.id)).toEqual(none);
  });

  test("counts what waits, by agent, with what is sensitive and ends next, not what is over", async () => {
    const bea = await owner("bea");
    const agentDid = "did:prof:agent:local:iris";
    const given = { profileId: bea.id, agentDid };
    const week = { proposedAt: at(-8 * 24 * hour) };
    await giveProposal(engine, { ...given, ...week, expiresAt: at(hour) });
    await giveProposal(engine, {
      ...given,
      expiresAt: at(3 * hour),
      category: "prof:health.sleep",
    });
    await giveProposal(engine, { ...given, ...week, expiresAt: testNow });
    const other = { ...given, agentDid: "did:prof:agent:local:nova" };
    const last = { proposedAt: at(1), content: "Sleeps little." };
    await giveProposal(engine, { ...other, ...last, category: "prof:healthy" });
    const request = { ...given, scopes: ["prof:interests"], requestedAt: at(-2 * hour) };
    await db.consentRequest.createMany({
      data: [
        { ...request, id: "creq_1", purposeType: "support" },
        { ...request, id: "creq_2", purposeType: "other", status: "denied", decidedAt: testNow },
      ],
    });
    await giveMemory(engine, bea.id);
    await giveMemory(engine, bea.id, { archivedAt: testNow });
    const named = (did: string, count: number) => ({
      ...{ agent: { did, name: null, verified: false }, count },
    });
    expect(await getOverview(bea.ctx, bea.id)).toMatchObject({
      proposals: {
        ...{ count: 3, sensitive: 1, nextEnd: at(hour) },
        claim: { agent: named(other.agentDid, 1).agent, content: last.content },
        agents: [named(agentDid, 2), named(other.agentDid, 1)],
      },
      hasProposals: true,
      requests: 1,
    });
    const counts = { proposals: 3, requests: 1, memories: 1 };
    expect(await countForNavigation(bea.ctx, bea.id)).toEqual(counts);
  });

  test("counts what waits up to a thousand, which is more than anybody is told", async () => {
    const dora = await owner("dora");
    const many = Array.from({ length: 1_002 }, (_, number) => ({
      id: `prop_dora${number}`,
      profileId: dora.id,
      agentDid: "did:prof:agent:local:iris",
      category: "prof:episodic",
      content: `m${number}`,
      contentHash: new Uint8Array(32).fill(number % 256).fill(number >> 8, 16),
      confidence: 1,
      proposedAt: testNow,
      expiresAt: at(hour),
    }));
    await db.proposal.createMany({ data: many.slice(0, 3) });
    expect(await countForNavigation(dora.ctx, dora.id)).toMatchObject({ proposals: 3 });
    await db.proposal.createMany({ data: many.slice(3) });
    expect(await countForNavigation(dora.ctx, dora.id)).toMatchObject({ proposals: 1_000 });
  });

  test("is for its owner alone", async () => {
    const cid = await owner("cid");
    const others: Caller[] = [
      { kind: "nobody" },
      { kind: "person", userId: "usr_other", role: "user", sessionId: null },
      { kind: "person", userId: "usr_root", role: "admin", sessionId: null },
    ];
    for (const caller of others) {
      await expect(getOverview(ctx(caller), cid.id)).rejects.toMatchObject({ code: "PROF002" });
    }
    await expect(getOverview(cid.ctx, 2_000_000_000)).rejects.toMatchObject({ code: "PROF003" });
  });
});
