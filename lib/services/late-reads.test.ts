import { describe, expect, test, vi } from "vitest";
import { testEngine } from "@/tests/support/harness";
import {
  eventsOf,
  giveMemory,
  givePolicy,
  giveToken,
  mintAdmin,
  mintAgent,
  mintOwner,
  signedIn,
} from "@/tests/support/personas";
import { inTransaction } from "@/tests/support/transaction";
import { suspendAgent } from "./admin/agents/change-agent";
import { suspendUser } from "./admin/users/change-user";
import { browseMemories } from "./memories/browse";
import { removePolicy } from "./policies/remove";
import { listInbox } from "./proposals/inbox";
import { revokeToken } from "./tokens/tokens";

// A read that waits for its turn, or for a lock, while the authority that it was decided by ends.
const engine = await testEngine();
const root = await mintAdmin(engine);

/** Starts a read, holds it up until `end` is over, and returns what it came to. */
async function meet<T>(read: () => Promise<T>, end: () => Promise<unknown>) {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    let reading: Promise<T> | undefined;
    await inTransaction(engine.pool, async (client) => {
      await client.query(`LOCK TABLE "Memory", "Proposal" IN ACCESS EXCLUSIVE MODE`);
      reading = read();
      reading.catch(() => undefined);
      await expect.poll(isHeldUp, { interval: 5 }).toBe(true);
      await end();
      vi.advanceTimersByTime(1_000);
    });
    return await reading?.then(
      (answer) => JSON.stringify(answer),
      ({ code }) => String(code),
    );
  } finally {
    vi.useRealTimers();
  }
}

async function isHeldUp(): Promise<boolean> {
  const { rows } = await engine.pool.query<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return (rows[0]?.waiting ?? 0) > 0;
}

async function given() {
  const owner = await mintOwner(engine);
  const agent = await mintAgent(engine);
  const { id } = await givePolicy(engine, owner.profileId, { agentPattern: agent.did });
  await giveMemory(engine, owner.profileId, { content: "canary" });
  const ctx = signedIn(engine, owner);
  const own = { did: owner.did };
  return { owner, agent, policyId: id, ctx, own };
}

describe("is not answered by what has ended since", () => {
  test("a list of proposals, once a rule is removed: it is decided again, and leaves one event", async () => {
    const { owner, agent, ctx, own, policyId } = await given();
    const read = () => agent.client.listProposals(own);
    expect(await meet(read, () => removePolicy(ctx, { ...own, policyId }))).toContain('"total":0');
    const events = await eventsOf(engine, owner.profileId);
    expect(events.map(({ verb }) => verb).toSorted()).toEqual(["editPolicies", "listProposals"]);
  });

  test("a list of memories, once a rule is removed: what an earlier read left in the cache does not decide", async () => {
    const { agent, ctx, own, policyId } = await given();
    await agent.client.getProfile(own);
    const read = () => agent.client.listMemories(own);
    expect(await meet(read, () => removePolicy(ctx, { ...own, policyId }))).toContain('"total":0');
  });

  test("a list of memories, once the agent is suspended", async () => {
    const { agent, own } = await given();
    const read = () => agent.client.listMemories(own);
    expect(
      await meet(read, () => suspendAgent(root.ctx, { did: agent.did, reason: "Complaints." })),
    ).toBe("PROF001");
  });

  test("a profile, once the token is revoked", async () => {
    const { owner, agent, ctx, own } = await given();
    const { id: tokenId, client } = await giveToken(engine, { owner, agent });
    const read = () => client.getProfile(own);
    expect(await meet(read, async () => undefined)).toContain("canary");
    // Else it would be answered by what was just read, and wait for nothing.
    await giveMemory(engine, owner.profileId);
    expect(await meet(read, () => revokeToken(ctx, { ...own, tokenId }))).toBe("PROF001");
  });

  test.each<[string, (ctx: ReturnType<typeof signedIn>, did: string) => Promise<unknown>]>([
    [
      "a search of memories",
      (ctx, did) =>
        browseMemories(ctx, { did, search: "canary", state: "live", sort: "newest", limit: 9 }),
    ],
    ["an inbox", (ctx, did) => listInbox(ctx, { did, tab: "pending", limit: 9 })],
  ])("%s, once the account is suspended", async (_title, read) => {
    const { owner, ctx } = await given();
    const ending = () => suspendUser(root.ctx, owner.userId);
    expect(await meet(() => read(ctx, owner.did), ending)).toBe("PROF001");
  });
});
