import { beforeEach, describe, expect, test } from "vitest";
import { contextOf } from "@/lib/services/context";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  eventsOf,
  giveMemory,
  givePolicy,
  giveProposal,
  giveToken,
  type Minted,
  mintAdmin,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { policiesMax, policyRowsMax } from "../../policies/bounds";
import { removePolicy } from "../../policies/remove";
import { reviewProposal } from "../../proposals/deciding/review";
import { restoreAccess } from "../restore";
import { revokeAgent } from "../revoke-agent";
import { findDenial } from "./deny-all";
import { findEverythingOff, switchEverythingOff } from "./everything-off";

const engine = await testEngine({
  ...{ LIMIT_ACCESS: "1000", LIMIT_PROFILE: "1000", LIMIT_PROPOSE: "1000" },
});
let owner: Owner;
let agent: Minted;
let other: Minted;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine, { policies: [{ permissions: ["read", "propose"] }] });
  [agent, other] = [await mintAgent(engine), await mintAgent(engine)];
  await giveMemory(engine, owner.profileId);
});

const ctx = () => signedIn(engine, owner);
const refusal = (work: Promise<unknown>) => work.then(() => null).catch(({ code }) => code);
const pass = (minutes: number) =>
  engine.setNow(new Date(engine.now().getTime() + minutes * 60_000));
const block = (by = ctx(), whom = agent) =>
  revokeAgent(by, { did: owner.did, agentDid: whom.did, blocks: true });
const undo = (eventId: string) => restoreAccess(ctx(), { did: owner.did, eventId });
const pending = () => ({ profileId: owner.profileId, agentDid: agent.did });
const waiting = () => engine.db.proposal.count({ where: { ...pending(), status: "pending" } });

async function reads({ client }: Minted): Promise<boolean> {
  const { data } = await client.getProfile({ did: owner.did });
  return Object.keys(data.memories).length > 0;
}

function propose({ client }: Minted, content = "Likes tea.") {
  return client.proposeMemory({ did: owner.did, category: "prof:interests", content });
}

async function others() {
  const stranger = await mintOwner(engine);
  const admin = await mintAdmin(engine);
  const key = { did: agent.did, publicKey: agent.publicKey };
  return [
    signedIn(engine, stranger),
    admin.ctx,
    contextOf(engine, { kind: "agent", ...key }),
    contextOf(engine, { kind: "user", did: owner.did, publicKey: owner.publicKey }),
    contextOf(engine, { kind: "nobody" }),
  ];
}

describe("blocking an agent", () => {
  test("ends what it has, and denies it reading, asking and proposing what general rules open", async () => {
    const { client } = await giveToken(engine, { owner, agent });
    await block();
    expect(await reads(agent)).toBe(false);
    expect(await refusal(propose(agent))).toBe("PROF004");
    expect(await refusal(client.getProfile({ did: owner.did }))).toBe("PROF001");
    const asking = agent.client.requestAccess({
      ...{ did: owner.did, scopes: ["prof:interests"], purpose: { type: "research" } },
    });
    await expect(asking).rejects.toMatchObject({ code: "PROF004", details: { state: "denied" } });
    expect([await reads(other), (await propose(other)).status]).toEqual([true, 201]);
  });

  test("rejects what it proposed, in one event, and leaves what others proposed", async () => {
    await Promise.all([propose(agent), propose(agent, "Likes milk."), propose(other)]);
    const { eventId } = await block();
    expect(await waiting()).toBe(0);
    const rejected = await engine.db.proposal.findFirstOrThrow({ where: pending() });
    expect(rejected).toMatchObject({ status: "rejected", reviewedBy: owner.did, reason: null });
    const all = { profileId: owner.profileId, status: "pending" } as const;
    expect(await engine.db.proposal.count({ where: all })).toBe(1);
    const events = (await eventsOf(engine, owner.profileId)).filter(
      ({ actor }) => actor === "owner",
    );
    expect(events).toMatchObject([
      { id: eventId, verb: "revokeAgent", detail: { blocked: true, proposals: 2 } },
    ]);
  });

  test("is undone whole: it reads, and its proposals wait, but not one that expired or was decided", async () => {
    const { client } = await giveToken(engine, { owner, agent });
    await givePolicy(engine, owner.profileId, { agentPattern: agent.did, origin: "consent" });
    const soon = new Date(engine.now().getTime() + 5 * 60_000);
    await giveProposal(engine, { ...pending(), expiresAt: soon });
    const own = await giveProposal(engine, pending());
    const decision = { did: owner.did, proposalId: own.id, action: "reject" } as const;
    await reviewProposal(ctx(), decision);
    await propose(agent);
    pass(1);
    const { eventId } = await block();
    pass(6);
    await undo(eventId);
    expect(await reads(agent)).toBe(true);
    expect((await client.getProfile({ did: owner.did })).status).toBe(200);
    expect(await waiting()).toBe(1);
    expect(await refusal(undo(eventId))).toBe("PROF006");
  });

  test("is undone for ten minutes; later, removing its rule lets general rules count again", async () => {
    const { eventId } = await block();
    pass(11);
    expect(await refusal(undo(eventId))).toBe("PROF006");
    const where = { profileId: owner.profileId, agentPattern: agent.did };
    const policyId = (await findDenial(engine.db, where)) ?? "";
    await removePolicy(ctx(), { did: owner.did, policyId });
    expect(await reads(agent)).toBe(true);
  });

  test("by two at once makes one rule", async () => {
    await Promise.all([block(), block()]);
    const where = { profileId: owner.profileId, agentPattern: agent.did };
    expect(await engine.db.policy.count({ where })).toBe(1);
  });

  test("twice is undone from the last: the agent is let in once both are", async () => {
    const first = await block();
    pass(1);
    const second = await block();
    expect(await refusal(undo(first.eventId))).toBe("PROF006");
    expect(await undo(second.eventId)).toMatchObject({ isStillDenied: true });
    expect(await reads(agent)).toBe(false);
    expect(await undo(first.eventId)).toMatchObject({ isStillDenied: false });
    expect(await reads(agent)).toBe(true);
  });

  test("leaves a rule of the owner's own that denies the agent everything, also by its undo", async () => {
    await givePolicy(engine, owner.profileId, { agentPattern: agent.did, deny: ["prof:*"] });
    const { eventId } = await block();
    expect(await undo(eventId)).toMatchObject({ isStillDenied: true });
    expect(await reads(agent)).toBe(false);
  });

  test("meets a proposal that arrives: it is refused, or rejected with the others", async () => {
    await Promise.allSettled([propose(agent), block(), propose(agent, "Likes milk.")]);
    expect(await waiting()).toBe(0);
  });

  test("is possible with as many rules as a profile may have switched on, up to a thousand", async () => {
    const give = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () => givePolicy(engine, owner.profileId, { deny: [] })),
      );
    await give(policiesMax);
    await propose(agent);
    await block();
    expect([await reads(agent), await waiting()]).toEqual([false, 0]);
    await give(policyRowsMax - policiesMax - 2);
    expect(await refusal(block(ctx(), other))).toBe("PROF006");
    expect(await reads(other)).toBe(true);
  });

  test("is for the owner of an active profile alone, signed in", async () => {
    for (const by of await others()) expect(await refusal(block(by))).toBe("PROF002");
    await engine.db.profile.update({ where: { did: owner.did }, data: { state: "suspended" } });
    expect(await refusal(block())).toBe("PROF002");
  });
});

describe("switching everything off", () => {
  const off = (by = ctx()) => switchEverythingOff(by, owner.did);

  test("denies every agent and token reading, proposing and asking, whatever else opens it", async () => {
    const { client } = await giveToken(engine, { owner, agent });
    await givePolicy(engine, owner.profileId, { agentPattern: other.did });
    expect((await client.getProfile({ did: owner.did })).data.memories).not.toEqual({});
    const { policyId } = await off();
    expect(await findEverythingOff(ctx(), owner.did)).toBe(policyId);
    expect((await client.getProfile({ did: owner.did })).data.memories).toEqual({});
    for (const one of [agent, other]) {
      expect(await reads(one)).toBe(false);
      expect(await refusal(propose(one))).toBe("PROF004");
    }
  });

  test("is undone by removing its one rule: everything is as it was", async () => {
    await propose(agent);
    const { policyId } = await off();
    await removePolicy(ctx(), { did: owner.did, policyId });
    expect(await findEverythingOff(ctx(), owner.did)).toBeNull();
    expect([await reads(agent), await waiting()]).toEqual([true, 1]);
  });

  test("is possible with as many rules as a profile may have, and makes one rule however often", async () => {
    const rules = Array.from({ length: policiesMax }, () => ({ allow: ["prof:preferences"] }));
    for (const rule of rules) await givePolicy(engine, owner.profileId, rule);
    const [first, second] = await Promise.all([off(), off()]);
    expect(first.policyId).toBe(second.policyId);
    expect([first.isNew, second.isNew].sort()).toEqual([false, true]);
    expect(await reads(agent)).toBe(false);
    const events = await eventsOf(engine, owner.profileId);
    expect(events.filter(({ verb }) => verb === "editPolicies")).toHaveLength(1);
  });

  test("is for the owner of an active profile alone, signed in", async () => {
    for (const by of await others()) expect(await refusal(off(by))).toBe("PROF002");
    await engine.db.profile.update({ where: { did: owner.did }, data: { state: "suspended" } });
    expect(await refusal(off())).toBe("PROF002");
  });
});
