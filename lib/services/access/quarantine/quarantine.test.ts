import { beforeEach, describe, expect, test } from "vitest";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  eventsOf,
  givePolicy,
  giveProposal,
  giveToken,
  type Minted,
  mintAdmin,
  mintAgent,
  mintOwner,
  type Owner,
  type ProposalGiven,
  signedIn,
} from "@/tests/support/personas";
import { resumeAgent, suspendAgent } from "../../admin/agents/change-agent";
import { findKnownAgent } from "../../agents/known/find-known";
import { contextOf } from "../../context";
import { removePolicy } from "../../policies/remove";
import { getProfile } from "../../profiles";
import { reviewProposal } from "../../proposals/deciding/review";
import { expireProposals } from "../../proposals/expire";
import { listInbox } from "../../proposals/inbox";
import { revokeAgent } from "../revoke-agent";
import { reconcileHeld } from "./held";
import { liftQuarantine, quarantineAgent } from "./quarantine-agent";
import { listWritten, undoWritten } from "./written";

const engine = await testEngine();
const root = await mintAdmin(engine);
const dayMs = 24 * 60 * 60_000;
let owner: Owner;
let iris: Minted;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  iris = await mintAgent(engine);
  await givePolicy(engine, owner.profileId, { permissions: ["read", "propose"] });
});

const ctx = () => signedIn(engine, owner);
const whose = () => ({ did: owner.did, agentDid: iris.did });
const denied = { code: "PROF004", details: expect.objectContaining({ state: "denied" }) };

async function later(days: number): Promise<void> {
  engine.setNow(new Date(engine.now().getTime() + days * dayMs));
  const where = { id: owner.sessionId };
  const [lastSeenAt, confirmedAt] = [engine.now(), engine.now()];
  const expiresAt = new Date(engine.now().getTime() + dayMs);
  await engine.db.session.update({ where, data: { lastSeenAt, confirmedAt, expiresAt } });
}

async function propose(given: ProposalGiven = {}) {
  const proposed = { profileId: owner.profileId, agentDid: iris.did, ...given };
  return (await giveProposal(engine, proposed)).id;
}

async function approve(proposalId: string) {
  await reviewProposal(ctx(), { did: owner.did, proposalId, action: "approve" });
}

const proposalOf = (id: string) => engine.db.proposal.findUniqueOrThrow({ where: { id } });
const inbox = async () =>
  (await listInbox(ctx(), { did: owner.did, tab: "pending", limit: 20 })).items.map(({ id }) => id);

describe("an agent in quarantine", () => {
  test("reads, asks and proposes nothing from its next request on, by key and by token", async () => {
    const token = await giveToken(engine, { owner, agent: iris });
    const byToken = contextOf(engine, {
      ...{ kind: "token", did: iris.did, tokenId: token.id, profileDid: owner.did },
      ...{ scopes: ["prof:*"], permissions: ["read", "propose"] },
    });
    const read = { did: owner.did, scopes: ["prof:interests"] };
    expect(await getProfile(byToken, read)).toBeDefined();
    await quarantineAgent(ctx(), whose());
    await expect(getProfile(byToken, read)).rejects.toMatchObject(denied);
    await expect(iris.client.getProfile(read)).rejects.toMatchObject(denied);
    const proposal = { did: owner.did, category: "prof:interests", content: "Tea.", confidence: 1 };
    await expect(iris.client.proposeMemory(proposal)).rejects.toMatchObject(denied);
    expect(await eventsOf(engine, owner.profileId)).toContainEqual(
      expect.objectContaining({ verb: "quarantineAgent", actor: "owner", outcome: "ok" }),
    );
  });

  test("has its proposals held apart: not in the inbox, not decided, not expired", async () => {
    const id = await propose();
    await quarantineAgent(ctx(), whose());
    expect(await inbox()).toEqual([]);
    await expect(approve(id)).rejects.toMatchObject({ code: "PROF006" });
    await later(30);
    await expireProposals(engine.db, engine.now());
    expect(await proposalOf(id)).toMatchObject({ status: "pending", heldAt: testNow });
    expect((await listWritten(ctx(), { ...whose(), days: 7 })).held).toMatchObject([{ id }]);
    expect(await findKnownAgent(ctx(), whose())).toMatchObject({
      ...{ quarantinedAt: testNow, blockedBy: null },
      proposals: { held: 1, pending: 0, expired: 0 },
    });
  });

  test("is let out as one: its proposals wait in the order and for the time they had", async () => {
    const first = await propose();
    await later(1);
    const second = await propose();
    const before = await proposalOf(first);
    await quarantineAgent(ctx(), whose());
    await later(30);
    expect(await liftQuarantine(ctx(), whose())).toEqual({ released: 2 });
    expect(await inbox()).toEqual([second, first]);
    expect(await proposalOf(first)).toMatchObject({
      heldAt: null,
      expiresAt: new Date(before.expiresAt.getTime() + 30 * dayMs),
    });
    expect(
      await iris.client.getProfile({ did: owner.did, scopes: ["prof:interests"] }),
    ).toBeDefined();
    await expect(liftQuarantine(ctx(), whose())).rejects.toMatchObject({ code: "PROF003" });
  });

  test("is let out too by removing its rule", async () => {
    const id = await propose();
    await quarantineAgent(ctx(), whose());
    const { id: policyId } = await engine.db.policy.findFirstOrThrow({
      where: { profileId: owner.profileId, origin: "quarantine" },
    });
    await removePolicy(ctx(), { did: owner.did, policyId });
    await reconcileHeld(engine);
    expect(await inbox()).toEqual([id]);
  });

  test("can be blocked: what was held is rejected", async () => {
    const id = await propose();
    await quarantineAgent(ctx(), whose());
    await revokeAgent(ctx(), { ...whose(), blocks: true });
    expect(await proposalOf(id)).toMatchObject({ status: "rejected", heldAt: null });
  });

  test("asks to be let in again once a week, and is answered the same each time", async () => {
    await quarantineAgent(ctx(), whose());
    const purpose = { type: "research", description: "The fault is mended." };
    const ask = () =>
      iris.client.requestAccess({ did: owner.did, scopes: ["prof:interests"], purpose });
    const resume = async () => (await findKnownAgent(ctx(), whose()))?.resume;
    await expect(ask()).rejects.toMatchObject(denied);
    expect(await resume()).toEqual({ askedAt: testNow, reason: "The fault is mended." });
    await later(6);
    await expect(ask()).rejects.toMatchObject(denied);
    expect(await resume()).toMatchObject({ askedAt: testNow });
    await later(1);
    await expect(ask()).rejects.toMatchObject(denied);
    expect(await resume()).toMatchObject({ askedAt: engine.now() });
    const wishes = (await eventsOf(engine, owner.profileId)).filter(({ detail }) =>
      JSON.stringify(detail).includes('"resume":true'),
    );
    expect(wishes).toHaveLength(2);
  });
});

describe("what an agent wrote", () => {
  test("is undone by days: untouched memories are gone, and their proposals are held", async () => {
    const old = await propose();
    await approve(old);
    await later(8);
    const [changed, recent] = [await propose(), await propose()];
    for (const id of [changed, recent]) await approve(id);
    const memory = await engine.db.memory.findUniqueOrThrow({ where: { proposalId: changed } });
    const { id: memoryId, category, content, confidence } = memory;
    await engine.db.memoryRevision.create({
      data: { memoryId, category, content, confidence, cause: "edited", createdAt: engine.now() },
    });
    await quarantineAgent(ctx(), whose());
    const { memories } = await listWritten(ctx(), { ...whose(), days: 7 });
    expect(memories.map(({ isChanged }) => isChanged).sort()).toEqual([false, true]);
    expect(await undoWritten(ctx(), { ...whose(), days: 7 })).toEqual({
      ...{ waiting: 1, deleted: 0, left: 0 },
    });
    expect(await proposalOf(recent)).toMatchObject({ status: "pending", heldAt: engine.now() });
    expect(await proposalOf(old)).toMatchObject({ status: "approved" });
    expect(await inbox()).toEqual([]);
  });
});

describe("an agent that an admin suspends", () => {
  test("has its proposals held apart in all profiles, until it is resumed", async () => {
    const other = await mintOwner(engine);
    const ids = [await propose(), await propose({ profileId: other.profileId } as ProposalGiven)];
    await suspendAgent(root.ctx, { did: iris.did, reason: "Spam." });
    await reconcileHeld(engine);
    for (const id of ids) expect(await proposalOf(id)).toMatchObject({ heldAt: testNow });
    expect(await inbox()).toEqual([]);
    await resumeAgent(root.ctx, { did: iris.did });
    await reconcileHeld(engine);
    for (const id of ids) expect(await proposalOf(id)).toMatchObject({ heldAt: null });
  });

  test("stays held where its owner has it in quarantine, and is held while it is suspended", async () => {
    const id = await propose();
    await quarantineAgent(ctx(), whose());
    await suspendAgent(root.ctx, { did: iris.did, reason: "Spam." });
    await resumeAgent(root.ctx, { did: iris.did });
    await reconcileHeld(engine);
    expect(await proposalOf(id)).toMatchObject({ heldAt: testNow });
    await suspendAgent(root.ctx, { did: iris.did, reason: "Spam." });
    expect(await liftQuarantine(ctx(), whose())).toEqual({ released: 0 });
    expect(await proposalOf(id)).toMatchObject({ heldAt: testNow });
  });
});

test("a quarantine while its proposals are decided: each is decided or held, never both", async () => {
  const ids: string[] = [];
  for (let place = 0; place < 20; place++) ids.push(await propose());
  const [quarantined, ...decided] = await Promise.allSettled([
    quarantineAgent(ctx(), whose()),
    ...ids.map(approve),
  ]);
  expect(quarantined?.status).toBe("fulfilled");
  const approved = decided.filter(({ status }) => status === "fulfilled").length;
  const where = { profileId: owner.profileId };
  expect(await engine.db.memory.count({ where })).toBe(approved);
  const held = { ...where, status: "pending", heldAt: { not: null } } as const;
  expect(await engine.db.proposal.count({ where: held })).toBe(ids.length - approved);
});

test("others can do none of it", async () => {
  const stranger = signedIn(engine, await mintOwner(engine));
  const input = { ...whose(), days: 7 };
  for (const verb of [quarantineAgent, liftQuarantine, listWritten, undoWritten]) {
    await expect(verb(stranger, input)).rejects.toMatchObject({ code: "PROF002" });
  }
});
