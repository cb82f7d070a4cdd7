import { describe, expect, test } from "vitest";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  eventsOf,
  giveMemory,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  type PolicyGiven,
} from "@/tests/support/personas";

// Protocol 5, step 3: a policy with purposes opens only under a live receipt for one of them.
const engine = await testEngine();
const hourMs = 60 * 60_000;
const later = (ms: number) => new Date(testNow.getTime() + ms);

async function pair(policy: PolicyGiven) {
  const owner = await mintOwner(engine, { policies: [policy] });
  await giveMemory(engine, owner.profileId);
  return { owner, agent: await mintAgent(engine) };
}

async function shownTo({ client }: Minted, owner: Owner): Promise<string[]> {
  const { data } = await client.getProfile({ did: owner.did });
  return Object.keys(data.memories);
}

function ask({ client }: Minted, owner: Owner, purpose: { type: string; retention?: string }) {
  return client.requestAccess({ did: owner.did, scopes: ["prof:interests"], purpose });
}

const forSupport = { purposes: ["support"] };

describe("a policy with purposes", () => {
  test("shows nothing before a receipt, and what it allows after; the event names the receipt", async () => {
    const { owner, agent } = await pair(forSupport);
    expect(await shownTo(agent, owner)).toEqual([]);
    const { data } = await ask(agent, owner, { type: "support" });
    expect(await shownTo(agent, owner)).toEqual(["prof:interests"]);
    const events = await eventsOf(engine, owner.profileId);
    expect(events).toHaveLength(3);
    expect(events).toContainEqual(
      expect.objectContaining({ verb: "getProfile", receiptId: data.receiptId }),
    );
  });

  test("stays shut for a receipt of another agent", async () => {
    const { owner, agent } = await pair(forSupport);
    await ask(agent, owner, { type: "support" });
    expect(await shownTo(await mintAgent(engine), owner)).toEqual([]);
  });

  test("gives no receipt for another purpose", async () => {
    const { owner, agent } = await pair(forSupport);
    const asking = ask(agent, owner, { type: "research" });
    await expect(asking).rejects.toMatchObject({ status: 403, code: "PROF004" });
    expect(await shownTo(agent, owner)).toEqual([]);
  });

  test("stays shut for a receipt that covers other scopes", async () => {
    const { owner, agent } = await pair(forSupport);
    const purpose = { type: "support" };
    await agent.client.requestAccess({ did: owner.did, scopes: ["prof:episodic"], purpose });
    expect(await shownTo(agent, owner)).toEqual([]);
  });

  test("shuts at once when its receipt is revoked", async () => {
    const { owner, agent } = await pair(forSupport);
    const { data } = await ask(agent, owner, { type: "support" });
    await engine.db.receipt.update({
      where: { id: data.receiptId },
      data: { revokedAt: engine.now() },
    });
    expect(await shownTo(agent, owner)).toEqual([]);
  });
});

describe("a receipt's life", () => {
  test("is 24 hours, to the millisecond", async () => {
    const { owner, agent } = await pair(forSupport);
    const { data } = await ask(agent, owner, { type: "support" });
    expect(data.grantedAt).toBe(testNow.toISOString());
    expect(data.expiresAt).toBe(later(24 * hourMs).toISOString());
    engine.setNow(later(24 * hourMs - 1));
    expect(await shownTo(agent, owner)).toEqual(["prof:interests"]);
    engine.setNow(later(24 * hourMs));
    expect(await shownTo(agent, owner)).toEqual([]);
    engine.setNow(testNow);
  });

  test("is shorter where the policy says so", async () => {
    const { owner, agent } = await pair({ ...forSupport, receiptSeconds: 600 });
    const { data } = await ask(agent, owner, { type: "support" });
    expect(data.expiresAt).toBe(later(600_000).toISOString());
    engine.setNow(later(600_000));
    expect(await shownTo(agent, owner)).toEqual([]);
    engine.setNow(testNow);
  });

  test("ends with the policy that it stands on", async () => {
    const expiresAt = later(hourMs);
    const { owner, agent } = await pair({ ...forSupport, expiresAt });
    const { data } = await ask(agent, owner, { type: "support" });
    expect(data.expiresAt).toBe(expiresAt.toISOString());
  });
});

describe("a policy with maxRetention", () => {
  test.each(["session_only", "24h", "7d"])(
    "takes retention %s, which is within 7d",
    async (retention) => {
      const { owner, agent } = await pair({ maxRetention: "7d" });
      expect((await ask(agent, owner, { type: "support", retention })).status).toBe(200);
      expect(await shownTo(agent, owner)).toEqual(["prof:interests"]);
    },
  );

  test.each(["30d", "1y", "indefinite", "a_while", undefined])(
    "does not take retention %s",
    async (retention) => {
      const { owner, agent } = await pair({ maxRetention: "7d" });
      const asking = ask(agent, owner, { type: "support", retention });
      await expect(asking).rejects.toMatchObject({ status: 403, code: "PROF004" });
      expect(await shownTo(agent, owner)).toEqual([]);
    },
  );
});
