import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import type { PolicyDraft } from "@/lib/rules/templates";
import { shownTransfer } from "@/tests/support/dashboard-api";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  giveMemory,
  giveNamedValue,
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
import { restoreAccess } from "../access/restore";
import { revokeAgent } from "../access/revoke-agent";
import { replacePasswordHash } from "../accounts/accounts";
import { unlinkIdentity } from "../accounts/identities";
import { setPassword } from "../accounts/password";
import { deleteAgent, resumeAgent, setCeiling, suspendAgent } from "../admin/agents/change-agent";
import { resumeProfile, suspendProfile } from "../admin/profiles/change-profile";
import { transferProfile } from "../admin/profiles/transfer-profile";
import { changeRole, resumeUser, suspendUser } from "../admin/users/change-user";
import { revokeKey } from "../agents/keys";
import { deleteAccount } from "../erasure/delete-account";
import { deleteProfile } from "../erasure/delete-profile";
import { changeMemoryStates } from "../memories/edit";
import { purgeMemories } from "../memories/purge";
import { addPolicy, switchPolicy } from "../policies/policies";
import { removePolicy } from "../policies/remove";
import { reopenProposals } from "../proposals/deciding/reopen";
import { reviewProposal } from "../proposals/deciding/review";
import { revokeReceipt } from "../receipts/revoke-receipt";
import { revokeToken } from "../tokens/tokens";
import { answerTransfer } from "../transfers/answer";

const engine = await testEngine();
const { db, pool } = engine;
const root = await mintAdmin(engine);
let owner: Owner;
let agent: Minted;

beforeEach(async () => {
  owner = await mintOwner(engine);
  agent = await mintAgent(engine);
});

const value = { category: "prof:interests", name: "tea" };
const ctx = () => signedIn(engine, owner);
const key = (...columns: string[]) => createHash("sha256").update(columns.join("\n")).digest("hex");

/** What the work leaves in "Gone": kind and key of each row. */
async function notedBy(work: () => Promise<unknown>): Promise<[kind: string, key: string][]> {
  const last = await db.gone.findFirst({ orderBy: { id: "desc" }, select: { id: true } });
  await work();
  const rows = await db.gone.findMany({
    where: { id: { gt: last?.id ?? 0n } },
    orderBy: { id: "asc" },
  });
  return rows.map((row) => [row.kind, Buffer.from(row.key).toString("hex")]);
}

async function receiptOf({ profileId }: Owner): Promise<string> {
  const id = newId("rcpt");
  const terms = { grantedScopes: ["prof:interests"], purposeType: "research" };
  const expiresAt = new Date(testNow.getTime() + 3_600_000);
  const receipt = { id, profileId, agentDid: agent.did, ...terms, grantedAt: testNow, expiresAt };
  await db.receipt.create({ data: receipt });
  return id;
}

function change(how: "delete" | "undelete", ...ids: string[]) {
  const memories = ids.map((memoryId) => ({ memoryId, seen: engine.now() }));
  return changeMemoryStates(ctx(), { did: owner.did, how, memories });
}

describe("an erasure notes itself, and nothing that goes with it", () => {
  beforeEach(async () => {
    await givePolicy(engine, owner.profileId, { agentPattern: agent.did, deny: ["prof:health"] });
    await giveNamedValue(engine, owner.profileId, { ...value, value: "green" });
    await giveToken(engine, { owner, agent });
    await receiptOf(owner);
    await db.account.create({
      data: {
        provider: "github",
        providerAccountId: owner.userId,
        userId: owner.userId,
        createdAt: testNow,
      },
    });
    await giveMailbox();
  });

  test("a profile with 10,000 memories is one row", async () => {
    await pool.query(
      `INSERT INTO "Memory" (id, "profileId", category, content, confidence, source, "createdAt", "updatedAt")
       SELECT $2::text || n, $1, 'prof:interests', 'Likes tea.', 1, 'owner', now(), now() FROM generate_series(1, 10000) n`,
      [owner.profileId, `mem_${owner.profileId}_`],
    );
    expect(await notedBy(() => deleteProfile(ctx(), { did: owner.did }))).toEqual([
      ["profile.erased", key(owner.did)],
    ]);
  });

  test("an account is one row and one for each of its profiles", async () => {
    expect(await notedBy(() => deleteAccount(ctx()))).toEqual([
      ["profile.erased", key(owner.did)],
      ["account.erased", key(owner.userId)],
    ]);
  });

  test("an agent is one row, with its key and webhook", async () => {
    await giveWebhook();
    expect(await notedBy(() => deleteAgent(root.ctx, agent.did))).toEqual([
      ["agent.deleted", key(agent.did)],
    ]);
  });
});

function giveMailbox() {
  const stopKey = Buffer.from(owner.userId.slice(-16));
  return db.mailbox.create({ data: { userId: owner.userId, stopKey, confirmedAt: testNow } });
}

function giveWebhook() {
  const [url, secret] = ["https://iris.test/hook", Buffer.alloc(32, 7)];
  const times = { createdAt: testNow, updatedAt: testNow };
  return db.webhook.create({ data: { agentDid: agent.did, url, secret, ...times } });
}

describe("memories", () => {
  test("that are deleted and restored leave a row each", async () => {
    const { id: one } = await giveMemory(engine, owner.profileId);
    const { id: two } = await giveMemory(engine, owner.profileId);
    const deleted = await notedBy(() => change("delete", one, two));
    expect(deleted.toSorted()).toEqual(
      [
        ["memory.deleted", key(one)],
        ["memory.deleted", key(two)],
      ].toSorted(),
    );
    const { updatedAt: seen } = await db.memory.findUniqueOrThrow({ where: { id: one } });
    const restoring = {
      did: owner.did,
      how: "undelete",
      memories: [{ memoryId: one, seen }],
    } as const;
    expect(await notedBy(() => changeMemoryStates(ctx(), restoring))).toEqual([
      ["memory.restored", key(one)],
    ]);
    await pool.query(`UPDATE "Memory" SET "deletedAt" = '2020-01-01' WHERE id = $1`, [two]);
    expect(await notedBy(() => purgeMemories(db, testNow))).toEqual([]);
  });

  test("of an approval that is undone leave a row", async () => {
    const { id: proposalId } = await giveProposal(engine, {
      profileId: owner.profileId,
      agentDid: agent.did,
    });
    await reviewProposal(ctx(), { did: owner.did, proposalId, action: "approve" });
    const { id } = await db.memory.findUniqueOrThrow({ where: { proposalId } });
    const reopening = { did: owner.did, proposalIds: [proposalId] };
    expect(await notedBy(() => reopenProposals(ctx(), reopening))).toEqual([
      ["memory.deleted", key(id)],
    ]);
  });
});

describe("access", () => {
  test("a receipt, a token and a key that are revoked leave a row each", async () => {
    const receiptId = await receiptOf(owner);
    expect(await notedBy(() => revokeReceipt(ctx(), { did: owner.did, receiptId }))).toEqual([
      ["receipt.revoked", key(receiptId)],
    ]);
    const { id: tokenId } = await giveToken(engine, { owner, agent });
    expect(await notedBy(() => revokeToken(ctx(), { did: owner.did, tokenId }))).toEqual([
      ["token.revoked", key(tokenId)],
    ]);
    const { id: keyId } = await db.key.findFirstOrThrow({ where: { did: owner.did } });
    expect(await notedBy(() => revokeKey(ctx(), { did: owner.did, keyId }))).toEqual([
      ["key.revoked", key(keyId)],
    ]);
  });

  test("an agent that is disconnected, and let in again, leaves a row for each change", async () => {
    const receiptId = await receiptOf(owner);
    const { id: tokenId } = await giveToken(engine, { owner, agent });
    const revoking = { did: owner.did, agentDid: agent.did };
    let eventId = "";
    const revoke = async () => ({ eventId } = await revokeAgent(ctx(), revoking));
    expect((await notedBy(revoke)).toSorted()).toEqual([
      ["receipt.revoked", key(receiptId)],
      ["token.revoked", key(tokenId)],
    ]);
    const restore = () => restoreAccess(ctx(), { did: owner.did, eventId });
    expect((await notedBy(restore)).toSorted()).toEqual([
      ["receipt.restored", key(receiptId)],
      ["token.restored", key(tokenId)],
    ]);
  });

  test("an agent that is blocked leaves a row for its profile", async () => {
    const revoking = { did: owner.did, agentDid: agent.did, blocks: true };
    expect(await notedBy(() => revokeAgent(ctx(), revoking))).toEqual([
      ["policy.denied", key(`${owner.profileId}`)],
    ]);
  });

  test("a rule that is switched, edited or removed leaves a row; a new one only if it denies", async () => {
    const { did } = owner;
    const { id: policyId } = await givePolicy(engine, owner.profileId, {});
    const changed = [["policy.changed", key(policyId)]];
    const off = { did, policyId, enabled: false };
    expect(await notedBy(() => switchPolicy(ctx(), off))).toEqual(changed);
    expect(await notedBy(() => switchPolicy(ctx(), { ...off, enabled: true }))).toEqual(changed);
    expect(await notedBy(() => removePolicy(ctx(), { did, policyId }))).toEqual(changed);
    const rule: Omit<PolicyDraft, "deny"> = {
      ...{ agentPattern: agent.did, verifiedOnly: false, purposes: [], origin: "owner" },
      ...{ maxRetention: null, receiptSeconds: null, expiresAt: null },
      ...{ allow: ["prof:interests"], permissions: ["read"] },
    };
    const add = (deny: PolicyDraft["deny"]) => addPolicy(ctx(), { did, policy: { ...rule, deny } });
    expect(await notedBy(() => add([]))).toEqual([]);
    expect(await notedBy(() => add(["prof:health"]))).toEqual([
      ["policy.denied", key(`${owner.profileId}`)],
    ]);
  });

  const columns: [column: string, to: string, kinds: string[]][] = [
    ["agentPattern", `'did:prof:agent:local:x'`, ["policy.changed", "policy.denied"]],
    ["verifiedOnly", "true", ["policy.changed", "policy.denied"]],
    ["allow", `'{prof:a}'`, ["policy.changed"]],
    ["deny", `'{prof:b}'`, ["policy.changed", "policy.denied"]],
    ["permissions", `'{propose}'`, ["policy.changed", "policy.denied"]],
    ["purposes", `'{research}'`, ["policy.changed"]],
    ["maxRetention", `'7d'`, ["policy.changed"]],
    ["receiptSeconds", "60", ["policy.changed"]],
    ["enabled", "false", ["policy.changed"]],
    ["expiresAt", `'2030-01-01'`, ["policy.changed", "policy.denied"]],
    ["updatedAt", `'2030-01-01'`, []],
  ];
  test.each(columns)("a change of a rule's %s to %s leaves %j", async (column, to, kinds) => {
    const { id } = await givePolicy(engine, owner.profileId, { deny: ["prof:health"] });
    const noted = await notedBy(() =>
      pool.query(`UPDATE "Policy" SET "${column}" = ${to} WHERE id = $1`, [id]),
    );
    expect(noted.map(([kind]) => kind).toSorted()).toEqual(kinds);
  });
});

describe("accounts", () => {
  test("a new password ends the old one and other sign-ins; a first one and a new cost end none", async () => {
    const { userId } = owner;
    expect(await notedBy(() => setPassword(ctx(), { from: null, to: "a" }))).toEqual([]);
    const session = await db.session.findFirstOrThrow({ where: { userId } });
    owner.sessionId = session.id;
    const rehash = { userId, from: "a", to: "b" };
    expect(await notedBy(() => replacePasswordHash(ctx(), rehash))).toEqual([]);
    const linked = { provider: "github", providerAccountId: "77", userId, createdAt: testNow };
    await db.account.create({ data: linked });
    expect(await notedBy(() => setPassword(ctx(), { from: "b", to: "c" }))).toEqual([
      ["password.changed", key(userId)],
      ["provider.unlinked", key("github", "77")],
    ]);
  });

  test("a sign-in that is unlinked leaves a row", async () => {
    const { userId } = owner;
    await db.user.update({ where: { id: userId }, data: { passwordHash: "a" } });
    const linked = { provider: "google", providerAccountId: "78", userId, createdAt: testNow };
    await db.account.create({ data: linked });
    expect(await notedBy(() => unlinkIdentity(ctx(), { provider: "google" }))).toEqual([
      ["provider.unlinked", key("google", "78")],
    ]);
  });

  test("an account that is suspended and resumed leaves a row each", async () => {
    const { userId } = owner;
    expect(await notedBy(() => suspendUser(root.ctx, userId))).toEqual([
      ["account.suspended", key(userId)],
    ]);
    expect(await notedBy(() => resumeUser(root.ctx, userId))).toEqual([
      ["account.restored", key(userId)],
    ]);
  });

  test("the role of an admin leaves a row each time", async () => {
    const { userId } = owner;
    const to = (role: "user" | "admin") => () => changeRole(root.ctx, { userId, role });
    expect(await notedBy(to("admin"))).toEqual([["admin.restored", key(userId)]]);
    expect(await notedBy(to("user"))).toEqual([["admin.removed", key(userId)]]);
  });

  test("another address leaves a row", async () => {
    const { userId } = owner;
    const data = { email: `${userId}@other.test`.toLowerCase() };
    expect(await notedBy(() => db.user.update({ where: { id: userId }, data }))).toEqual([
      ["address.changed", key(userId)],
    ]);
  });

  test("mail that is stopped leaves a row; mail that is started again does not", async () => {
    const { userId } = owner;
    await giveMailbox();
    const set = (data: object) => () => db.mailbox.update({ where: { userId }, data });
    const stopped = [["mail.stopped", key(userId)]];
    expect(await notedBy(set({ requests: false }))).toEqual(stopped);
    expect(await notedBy(set({ requests: true, hour: 9 }))).toEqual([]);
    expect(await notedBy(set({ agents: false }))).toEqual(stopped);
    expect(await notedBy(set({ digest: "week" }))).toEqual([]);
    expect(await notedBy(set({ digest: "never" }))).toEqual(stopped);
    expect(await notedBy(set({ contents: true }))).toEqual([]);
    expect(await notedBy(set({ contents: false }))).toEqual(stopped);
    expect(await notedBy(set({ mutedAgents: [agent.did] }))).toEqual(stopped);
    expect(await notedBy(set({ mutedAgents: [] }))).toEqual([]);
    expect(await notedBy(() => db.mailbox.delete({ where: { userId } }))).toEqual(stopped);
  });
});

describe("values", () => {
  test("that are removed leave a row each; those that are changed or added leave none", async () => {
    const { profileId: id } = owner;
    const at = { profileId: id, ...value };
    await giveNamedValue(engine, id, { ...value, value: "green" });
    expect(await notedBy(() => db.namedValue.deleteMany({ where: at }))).toEqual([
      ["value.removed", key(`${id}`, at.category, at.name)],
    ]);
    const set = (common: object) => () => db.profile.update({ where: { id }, data: { common } });
    const preferences = { language: "de", tone: null };
    expect(await notedBy(set({ preferences, timeZone: "UTC" }))).toEqual([]);
    expect(await notedBy(set({ preferences: { tone: "short" } }))).toEqual(
      expect.arrayContaining([
        ["value.removed", key(`${id}`, "preferences", "language")],
        ["value.removed", key(`${id}`, "timeZone")],
      ]),
    );
  });
});

describe("agents and profiles", () => {
  test("an agent that is suspended, resumed or narrowed leaves a row each", async () => {
    const { did } = agent;
    expect(await notedBy(() => suspendAgent(root.ctx, { did, reason: "Spam." }))).toEqual([
      ["agent.suspended", key(did)],
    ]);
    expect(await notedBy(() => resumeAgent(root.ctx, { did }))).toEqual([
      ["agent.restored", key(did)],
    ]);
    expect(await notedBy(() => setCeiling(root.ctx, { did, ceiling: ["prof:a"] }))).toEqual([
      ["agent.narrowed", key(did)],
    ]);
  });

  test("a registration that was never approved leaves another row than an agent", async () => {
    const { did } = await mintAgent(engine, { state: "pending" });
    expect(await notedBy(() => deleteAgent(root.ctx, did))).toEqual([
      ["agent.withdrawn", key(did)],
    ]);
  });

  test("a webhook that is moved or removed leaves a row", async () => {
    const where = { agentDid: agent.did };
    await giveWebhook();
    const removed = [["webhook.removed", key(agent.did)]];
    const move = () => db.webhook.update({ where, data: { url: "https://iris.test/other" } });
    expect(await notedBy(move)).toEqual(removed);
    expect(await notedBy(() => db.webhook.delete({ where }))).toEqual(removed);
  });

  test("a profile that is suspended, resumed or transferred leaves a row each", async () => {
    const { did } = owner;
    expect(await notedBy(() => suspendProfile(root.ctx, did))).toEqual([
      ["profile.suspended", key(did)],
    ]);
    expect(await notedBy(() => resumeProfile(root.ctx, did))).toEqual([
      ["profile.restored", key(did)],
    ]);
    const { id: keyId } = await db.key.findFirstOrThrow({ where: { did } });
    const heir = await mintOwner(engine);
    const { email } = await db.user.findUniqueOrThrow({ where: { id: heir.userId } });
    await transferProfile(root.ctx, { did, email });
    await answerTransfer(ctx(), await shownTransfer(engine, owner.did));
    const accept = async () =>
      answerTransfer(signedIn(engine, heir), await shownTransfer(engine, owner.did));
    expect(await notedBy(accept)).toEqual([
      ["profile.transferred", key(did)],
      ["key.revoked", key(keyId)],
    ]);
  });
});

describe("the table", () => {
  test.each([`UPDATE "Gone" SET kind = 'x'`, `DELETE FROM "Gone"`, `TRUNCATE "Gone"`])(
    "is append-only: %s",
    async (statement) => {
      await notedBy(() => suspendProfile(root.ctx, owner.did));
      await expect(pool.query(statement)).rejects.toThrow(/append-only/);
    },
  );

  test("has no row of a change that was rolled back", async () => {
    const rollBack = () =>
      db.$transaction(async (tx) => {
        await tx.profile.delete({ where: { id: owner.profileId } });
        throw new Error("rolled back");
      });
    expect(await notedBy(() => expect(rollBack()).rejects.toThrow("rolled back"))).toEqual([]);
  });
});
