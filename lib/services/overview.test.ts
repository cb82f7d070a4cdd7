import { describe, expect, test } from "vitest";
import type { Caller } from "@/lib/rules/may";
import { testEngine, testNow } from "@/lib/testing/harness";
import { signUp } from "./accounts/accounts";
import type { Ctx } from "./context";
import { getOverview } from "./overview";

const { db, pool } = await testEngine();
const hour = 60 * 60_000;
const at = (ms: number) => new Date(testNow.getTime() + ms);

function ctx(caller: Caller): Ctx {
  return { db, pool, caller, now: testNow, requestId: "req_test" };
}

async function owner(handle: string) {
  const account = { handle, email: `${handle}@example.com`, name: "Alice", passwordHash: "hash" };
  const where = { namespace: "local", open: true };
  const { userId, did } = await signUp(ctx({ kind: "nobody" }), { ...account, ...where });
  const { id } = await db.profile.findUniqueOrThrow({ where: { did } });
  return { id, did, ctx: ctx({ kind: "person", userId, role: "user" }) };
}

describe("the overview of a profile", () => {
  test("starts empty, with the policies of the template", async () => {
    const alice = await owner("alice");
    expect(await getOverview(alice.ctx, alice.id)).toMatchObject({
      did: alice.did,
      displayName: "Alice",
      pendingProposals: 0,
      pendingConsents: 0,
      memories: 0,
      agentsWithPolicies: 0,
      policies: [{ allow: ["prof:*"] }, { allow: ["prof:preferences"] }],
    });
  });

  test("counts what lives and what waits, not what is over", async () => {
    const bea = await owner("bea");
    const memory = { profileId: bea.id, category: "prof:episodic", content: "m", confidence: 1 };
    const source = "owner" as const;
    await db.memory.createMany({
      data: [
        { ...memory, source, id: "mem_new", createdAt: at(-hour) },
        { ...memory, source, id: "mem_old", createdAt: at(-9 * 24 * hour) },
        { ...memory, source, id: "mem_gone", deletedAt: testNow },
        { ...memory, source, id: "mem_kept", archivedAt: testNow },
      ],
    });
    const agentDid = "did:prof:agent:local:iris";
    const proposal = { ...memory, agentDid, proposedAt: at(-8 * 24 * hour) };
    const contentHash = (byte: number) => new Uint8Array(32).fill(byte);
    await db.proposal.createMany({
      data: [
        { ...proposal, id: "prop_1", contentHash: contentHash(1), expiresAt: at(1) },
        { ...proposal, id: "prop_2", contentHash: contentHash(2), expiresAt: testNow },
      ],
    });
    const policy = { profileId: bea.id, allow: ["prof:episodic"], origin: "owner" as const };
    await db.policy.createMany({
      data: [
        { ...policy, id: "pol_1", agentPattern: agentDid },
        { ...policy, id: "pol_2", agentPattern: agentDid },
        { ...policy, id: "pol_3", agentPattern: "did:prof:agent:local:other", expiresAt: testNow },
        { ...policy, id: "pol_4", agentPattern: "did:prof:agent:local:off", enabled: false },
      ],
    });
    expect(await getOverview(bea.ctx, bea.id)).toMatchObject({
      memories: 2,
      memoriesThisWeek: 1,
      pendingProposals: 1,
      agentsWithPolicies: 1,
    });
  });

  test("is for its owner alone", async () => {
    const cid = await owner("cid");
    const others: Caller[] = [
      { kind: "nobody" },
      { kind: "person", userId: "usr_other", role: "user" },
      { kind: "person", userId: "usr_root", role: "admin" },
    ];
    for (const caller of others) {
      await expect(getOverview(ctx(caller), cid.id)).rejects.toMatchObject({ code: "PROF002" });
    }
    await expect(getOverview(cid.ctx, 2_000_000_000)).rejects.toMatchObject({ code: "PROF003" });
  });
});
