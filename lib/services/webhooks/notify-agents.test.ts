import { beforeEach, describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { shownTransfer } from "@/tests/support/dashboard-api";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  giveMemory,
  givePolicy,
  giveProposal,
  giveToken,
  type Minted,
  madeNow,
  mintAdmin,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { decideConsent, listPendingConsents } from "../access/consents";
import { restoreAccess } from "../access/restore";
import { revokeAgent } from "../access/revoke-agent";
import { resetPassword } from "../accounts/reset-password";
import {
  approveAgent,
  deleteAgent,
  refuseAgent,
  resumeAgent,
  suspendAgent,
  verifyAgent,
} from "../admin/agents/change-agent";
import { deleteProfileOf } from "../admin/profiles/delete-profile";
import { transferProfile } from "../admin/profiles/transfer-profile";
import { changeRole, resumeUser, suspendUser } from "../admin/users/change-user";
import { issueResetLink } from "../admin/users/links";
import { endConnection } from "../connect/end-connection";
import { contextOf } from "../context";
import { deleteAccount } from "../erasure/delete-account";
import { deleteProfile } from "../erasure/delete-profile";
import { editPolicy, switchPolicy } from "../policies/policies";
import { removePolicy, restorePolicy, undoSave } from "../policies/remove";
import { reopenProposals } from "../proposals/deciding/reopen";
import { reviewProposal } from "../proposals/deciding/review";
import { reviewMany } from "../proposals/deciding/review-many";
import { expireProposals } from "../proposals/expire";
import { revokeReceipt } from "../receipts/revoke-receipt";
import { withdrawProposal } from "../requests/withdraw";
import { revokeToken } from "../tokens/tokens";
import { answerTransfer } from "../transfers/answer";

const engine = await testEngine({ LIMIT_ACCESS: "1000", LIMIT_PROFILE: "1000" });
let owner: Owner;
let agent: Minted;

const giveWebhook = (agentDid: string) =>
  engine.db.webhook.create({
    data: {
      ...{ agentDid, url: "https://agent.example.com/", secret: new Uint8Array(32) },
      ...madeNow(engine),
    },
  });

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine, { policies: [{ permissions: ["read", "propose"] }] });
  agent = await mintAgent(engine);
  await giveWebhook(agent.did);
});

const ctx = () => signedIn(engine, owner);
const pass = (minutes: number) =>
  engine.setNow(new Date(engine.now().getTime() + minutes * 60_000));

/** What was sent since the last look. */
async function sent(whose: { did: string } = agent) {
  const where = { recipient: whose.did };
  const rows = await engine.db.delivery.findMany({ where, orderBy: { seq: "asc" } });
  await engine.db.delivery.deleteMany({ where });
  return rows.map(({ body }) => {
    const { type, timestamp, data } = body as Record<string, unknown>;
    expect(timestamp).toBe(engine.now().toISOString());
    return { type, ...(data as object) };
  });
}

const profile = () => owner.did;
const decided = (id: string, status: string) => ({
  ...{ type: "proposal.decided", id, profile: profile(), status },
});
const access = (type: "access.revoked" | "access.restored", ids: object) => ({
  ...{ type, profile: profile(), receipts: [], tokens: [], policies: [] },
  ...ids,
});

async function ask(): Promise<string> {
  const { did, profileId } = owner;
  await giveMemory(engine, profileId, { category: "prof:health" });
  await engine.db.policy.deleteMany({ where: { profileId } });
  const scopes = ["prof:health"];
  const asking = agent.client.requestAccess({ did, scopes, purpose: { type: "research" } });
  await expect(asking).rejects.toMatchObject({ code: "PROF004" });
  return (await listPendingConsents(ctx(), did))[0]?.id ?? "";
}

const decide = (requestId: string, scopes: string[]) =>
  decideConsent(ctx(), { did: owner.did, requestId, scopes, choice: "until_revoked" });

const heldBy = async () => {
  const where = { profileId: owner.profileId };
  const [receipt, policy] = await Promise.all([
    engine.db.receipt.findFirstOrThrow({ where }),
    engine.db.policy.findFirstOrThrow({ where: { ...where, agentPattern: agent.did } }),
  ]);
  return { receipts: [receipt.id], policies: [policy.id] };
};

describe("consent.decided", () => {
  test("of a grant names the scopes, and nothing else of the request", async () => {
    const id = await ask();
    const { eventId } = await decide(id, ["prof:health"]);
    const granted = { type: "consent.decided", id, profile: profile() };
    expect(await sent()).toEqual([
      { ...granted, status: "granted", grantedScopes: ["prof:health"] },
    ]);
    const { receipts, policies } = await heldBy();
    await restoreAccess(ctx(), { did: owner.did, eventId });
    expect(await sent()).toEqual([
      { ...granted, status: "pending", grantedScopes: [] },
      access("access.revoked", { receipts, policies }),
    ]);
  });

  test("of a refusal grants nothing", async () => {
    const id = await ask();
    await decide(id, []);
    expect(await sent()).toMatchObject([{ id, status: "denied", grantedScopes: [] }]);
  });

  test("comes also where the request ends with the agent's removal", async () => {
    const id = await ask();
    const { eventId } = await revokeAgent(ctx(), { did: owner.did, agentDid: agent.did });
    expect(await sent()).toMatchObject([{ id, status: "denied" }]);
    await restoreAccess(ctx(), { did: owner.did, eventId });
    expect(await sent()).toMatchObject([{ id, status: "pending" }]);
  });

  test("has room for as many scopes, as long as they may be", async () => {
    const name = (index: number) => `${"x".repeat(60)}${String(index).padStart(2, "0")}`;
    const scopes = Array.from(
      { length: 50 },
      (_, index) => `prof:${name(index)}.${"y".repeat(60)}`,
    );
    const id = newId("creq");
    await engine.db.consentRequest.create({
      data: {
        ...{ id, profileId: owner.profileId, agentDid: agent.did, scopes },
        ...{ purposeType: "research", requestedAt: testNow },
      },
    });
    await decide(id, scopes);
    const [message] = await sent();
    expect(Reflect.get(message ?? {}, "grantedScopes")).toEqual(scopes);
  });
});

describe("proposal.decided", () => {
  const propose = (given = {}) =>
    giveProposal(engine, { profileId: owner.profileId, agentDid: agent.did, ...given });
  const review = (proposalId: string, action: "approve" | "reject") =>
    reviewProposal(ctx(), { did: owner.did, proposalId, action, reason: "private" });

  test.each([
    ["approve", "approved"],
    ["reject", "rejected"],
  ] as const)("after %s says %s, and no reason", async (action, status) => {
    const { id } = await propose();
    await review(id, action);
    expect(await sent()).toEqual([decided(id, status)]);
  });

  test("comes from the protocol's review as well", async () => {
    const { id } = await propose();
    await owner.client.reviewProposal({ did: owner.did, proposalId: id, action: "approve" });
    expect(await sent()).toEqual([decided(id, "approved")]);
  });

  test("comes for each of many that were decided, and for none that was left", async () => {
    const [first, second] = [await propose(), await propose()];
    await review(first.id, "reject");
    await sent();
    const ids = [first.id, second.id];
    await reviewMany(ctx(), { did: owner.did, proposalIds: ids, action: "approve" });
    expect(await sent()).toEqual([decided(second.id, "approved")]);
  });

  test("says pending once a decision is undone", async () => {
    const { id } = await propose();
    await review(id, "reject");
    await sent();
    await reopenProposals(ctx(), { did: owner.did, proposalIds: [id] });
    expect(await sent()).toEqual([decided(id, "pending")]);
  });

  test("says rejected when it expires", async () => {
    const { id } = await propose({ expiresAt: new Date(testNow.getTime() + 60_000) });
    pass(1);
    await expireProposals(engine.db, engine.now());
    expect(await sent()).toEqual([decided(id, "rejected")]);
  });

  test("comes for what a block rejects, and what its undo reopens", async () => {
    const { id } = await propose();
    const blocking = { did: owner.did, agentDid: agent.did, blocks: true };
    const { eventId } = await revokeAgent(ctx(), blocking);
    expect(await sent()).toEqual([decided(id, "rejected")]);
    await restoreAccess(ctx(), { did: owner.did, eventId });
    expect(await sent()).toEqual([decided(id, "pending")]);
  });

  test("does not come for a proposal that its owner imported, or that its agent withdrew", async () => {
    const { id } = await propose({ imported: true });
    await review(id, "approve");
    const own = await propose();
    const { did, publicKey } = agent;
    const asAgent = contextOf(engine, { kind: "agent", did, publicKey });
    await withdrawProposal(asAgent, { did: owner.did, id: own.id });
    expect(await sent()).toEqual([]);
  });

  test("is not sent where the review is refused", async () => {
    const { id } = await propose();
    await review(id, "approve");
    await sent();
    await expect(review(id, "reject")).rejects.toMatchObject({ code: "PROF006" });
    expect(await sent()).toEqual([]);
  });
});

describe("access.revoked", () => {
  test("names what ends with a receipt, and access.restored what an undo brings back", async () => {
    await decide(await ask(), ["prof:health"]);
    await sent();
    const held = await heldBy();
    const [receiptId = ""] = held.receipts;
    pass(1);
    const { eventId } = await revokeReceipt(ctx(), { did: owner.did, receiptId });
    expect(await sent()).toEqual([access("access.revoked", held)]);
    await restoreAccess(ctx(), { did: owner.did, eventId });
    expect(await sent()).toEqual([access("access.restored", held)]);
  });

  test("names the tokens and policies that end with the agent", async () => {
    await decide(await ask(), ["prof:health"]);
    await sent();
    const held = await heldBy();
    const { id } = await giveToken(engine, { owner, agent });
    pass(1);
    await revokeAgent(ctx(), { did: owner.did, agentDid: agent.did });
    expect(await sent()).toEqual([access("access.revoked", { ...held, tokens: [id] })]);
  });

  test("comes where a token is revoked, or its connection ends", async () => {
    const [one, two] = [
      await giveToken(engine, { owner, agent }),
      await giveToken(engine, { owner, agent }),
    ];
    await revokeToken(ctx(), { did: owner.did, tokenId: one.id });
    await endConnection(ctx(), { id: two.id, profileId: owner.profileId }, "client");
    expect(await sent()).toEqual([
      access("access.revoked", { tokens: [one.id] }),
      access("access.revoked", { tokens: [two.id] }),
    ]);
  });

  test("comes where a rule for this agent alone is switched off or removed", async () => {
    const { id } = await givePolicy(engine, owner.profileId, { agentPattern: agent.did });
    const policies = [id];
    const ofPolicy = { did: owner.did, policyId: id };
    await switchPolicy(ctx(), { ...ofPolicy, enabled: false });
    await switchPolicy(ctx(), { ...ofPolicy, enabled: true });
    await removePolicy(ctx(), ofPolicy);
    await restorePolicy(ctx(), ofPolicy);
    expect(await sent()).toEqual([
      access("access.revoked", { policies }),
      access("access.restored", { policies }),
      access("access.revoked", { policies }),
      access("access.restored", { policies }),
    ]);
  });

  test.each([
    ["is made for another agent", { agentPattern: "did:prof:agent:another:one" }],
    ["opens nothing any more", { allow: [], deny: ["prof:health" as const] }],
  ])("comes where its rule %s, and the undo gives it back", async (_what, change) => {
    const { id } = await givePolicy(engine, owner.profileId, { agentPattern: agent.did });
    const row = await engine.db.policy.findUniqueOrThrow({ where: { id } });
    const ofPolicy = { did: owner.did, policyId: id };
    await editPolicy(ctx(), { ...ofPolicy, shownAs: row.updatedAt, policy: { ...row, ...change } });
    expect(await sent()).toEqual([access("access.revoked", { policies: [id] })]);
    await undoSave(ctx(), ofPolicy);
    expect(await sent()).toEqual([access("access.restored", { policies: [id] })]);
  });

  test("names the owner's rules that a block outweighs, and its undo gives back", async () => {
    const { id } = await givePolicy(engine, owner.profileId, { agentPattern: agent.did });
    const blocking = { did: owner.did, agentDid: agent.did, blocks: true };
    const { eventId } = await revokeAgent(ctx(), blocking);
    expect(await sent()).toEqual([access("access.revoked", { policies: [id] })]);
    await restoreAccess(ctx(), { did: owner.did, eventId });
    expect(await sent()).toEqual([access("access.restored", { policies: [id] })]);
  });

  test("does not come where a rule that only denies is switched or removed", async () => {
    const denying = { agentPattern: agent.did, allow: [], deny: ["prof:health"] };
    const { id } = await givePolicy(engine, owner.profileId, denying);
    const ofPolicy = { did: owner.did, policyId: id };
    await switchPolicy(ctx(), { ...ofPolicy, enabled: false });
    await switchPolicy(ctx(), { ...ofPolicy, enabled: true });
    await removePolicy(ctx(), ofPolicy);
    await restorePolicy(ctx(), ofPolicy);
    expect(await sent()).toEqual([]);
  });

  test("comes where the profile is handed over", async () => {
    const { id } = await giveToken(engine, { owner, agent });
    const bob = await mintOwner(engine);
    const { ctx: admin } = await mintAdmin(engine);
    const { email } = await engine.db.user.findUniqueOrThrow({ where: { id: bob.userId } });
    await transferProfile(admin, { did: owner.did, email });
    await answerTransfer(ctx(), await shownTransfer(engine, owner.did));
    const theirs = signedIn(engine, bob);
    await answerTransfer(theirs, await shownTransfer(engine, owner.did));
    expect(await sent()).toEqual([access("access.revoked", { tokens: [id] })]);
  });

  test("comes where a new password ends what works without one", async () => {
    const { id } = await giveToken(engine, { owner, agent });
    const { token } = await issueResetLink((await mintAdmin(engine)).ctx, owner.userId);
    const nobody = contextOf(engine, { kind: "nobody" });
    await resetPassword(nobody, { token, passwordHash: "x", keep: null });
    expect(await sent()).toEqual([access("access.revoked", { tokens: [id] })]);
  });

  test.each([
    ["its owner", () => deleteProfile(ctx(), { did: owner.did })],
    ["an admin", async () => deleteProfileOf((await mintAdmin(engine)).ctx, owner.did)],
    ["its owner with the account", () => deleteAccount(ctx())],
  ])("is all that is left of a profile that %s deletes", async (_who, erase) => {
    const id = await ask();
    await decide(id, ["prof:health"]);
    await erase();
    expect(await sent()).toEqual([{ type: "access.revoked", profile: profile(), erased: true }]);
  });

  test("of an erased profile leaves no earlier message, also to an agent that it had removed", async () => {
    const { id } = await giveToken(engine, { owner, agent });
    await revokeToken(ctx(), { did: owner.did, tokenId: id });
    await engine.db.connectionToken.deleteMany({ where: { id } });
    await deleteProfile(ctx(), { did: owner.did });
    expect(await sent()).toEqual([]);
  });

  test("goes to each of several agents, and to none without a webhook", async () => {
    const [other, silent] = [await mintAgent(engine), await mintAgent(engine)];
    await giveWebhook(other.did);
    for (const one of [agent, other, silent]) await giveToken(engine, { owner, agent: one });
    await deleteProfile(ctx(), { did: owner.did });
    expect([await sent(), await sent(other), await sent(silent)]).toMatchObject([
      [{ erased: true }],
      [{ erased: true }],
      [],
    ]);
  });
});

describe("agent.state", () => {
  const state = (name: string) => ({ type: "agent.state", state: name });

  test("comes when an admin approves, suspends and resumes the agent, and not when they verify it", async () => {
    const { ctx: admin } = await mintAdmin(engine);
    const { did } = agent;
    await engine.db.agent.update({ where: { did }, data: { state: "pending" } });
    await approveAgent(admin, { did });
    await verifyAgent(admin, { did, verified: true });
    await suspendAgent(admin, { did, reason: "private" });
    await resumeAgent(admin, { did });
    expect(await sent()).toEqual([state("active"), state("suspended"), state("active")]);
  });

  test("comes when an admin refuses it", async () => {
    const { ctx: admin } = await mintAdmin(engine);
    const { did } = agent;
    await engine.db.agent.update({ where: { did }, data: { state: "pending" } });
    await refuseAgent(admin, { did, reason: "private" });
    expect(await sent()).toEqual([state("suspended")]);
  });

  test("comes when the user who registered it is suspended and resumed", async () => {
    const { ctx: admin } = await mintAdmin(engine);
    const given = { registeredBy: owner.userId, origin: "user" as const };
    await engine.db.agent.update({ where: { did: agent.did }, data: given });
    await suspendUser(admin, owner.userId);
    await resumeUser(admin, owner.userId);
    expect(await sent()).toEqual([state("suspended"), state("active")]);
  });

  test("comes when the admin who registered it is no admin any more", async () => {
    const [{ ctx: admin }, former] = [await mintAdmin(engine), await mintAdmin(engine)];
    const given = { registeredBy: former.userId, origin: "admin" as const };
    await engine.db.agent.update({ where: { did: agent.did }, data: given });
    await changeRole(admin, { userId: former.userId, role: "user" });
    expect(await sent()).toEqual([state("suspended")]);
  });

  test("does not come where the agent is deleted: its messages are gone", async () => {
    const { ctx: admin } = await mintAdmin(engine);
    await suspendAgent(admin, { did: agent.did, reason: "private" });
    await deleteAgent(admin, agent.did);
    expect(await sent()).toEqual([]);
  });
});

test("with the person who registered an agent, its webhook and messages go", async () => {
  const given = { registeredBy: owner.userId, origin: "user" as const };
  await engine.db.agent.update({ where: { did: agent.did }, data: given });
  await giveToken(engine, { owner, agent });
  await deleteAccount(ctx());
  expect(await sent()).toEqual([]);
  expect(await engine.db.webhook.count({ where: { agentDid: agent.did } })).toBe(0);
});
