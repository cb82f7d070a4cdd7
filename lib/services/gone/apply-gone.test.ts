import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createEngine } from "@/lib/engine/engine";
import { loadEnv } from "@/lib/engine/env";
import { createLog } from "@/lib/engine/log";
import { newId } from "@/lib/engine/random";
import type { Scope } from "@/lib/protocol/scope";
import { shownTransfer } from "@/tests/support/dashboard-api";
import { copyDatabase } from "@/tests/support/database";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  eventsOf,
  giveMemory,
  giveNamedValue,
  givePolicy,
  giveProposal,
  giveToken,
  mintAdmin,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { restoreAccess } from "../access/restore";
import { revokeAgent } from "../access/revoke-agent";
import { addProfile } from "../accounts/new-profile";
import { setPassword } from "../accounts/password";
import { deleteAgent, setCeiling, suspendAgent } from "../admin/agents/change-agent";
import { suspendProfile } from "../admin/profiles/change-profile";
import { transferProfile } from "../admin/profiles/transfer-profile";
import { changeRole, resumeUser, suspendUser } from "../admin/users/change-user";
import { revokeKey } from "../agents/keys";
import { contextOf } from "../context";
import { deleteAccount } from "../erasure/delete-account";
import { deleteProfile } from "../erasure/delete-profile";
import { changeMemoryStates } from "../memories/edit";
import { switchPolicy } from "../policies/policies";
import { removePolicy } from "../policies/remove";
import { reopenProposals } from "../proposals/deciding/reopen";
import { reviewProposal } from "../proposals/deciding/review";
import { endApproving, startApproving } from "../proposals/rules/approve-rules";
import { revokeReceipt } from "../receipts/revoke-receipt";
import { revokeToken } from "../tokens/tokens";
import { answerTransfer } from "../transfers/answer";
import { setWebhook } from "../webhooks/webhooks";
import { applyGone, readGone } from "./apply-gone";
import { copyGone } from "./copy-gone";
import { fileTarget, type GoneEntry } from "./gone-file";
import { readCopy } from "./testing/read-copy";

// A whole round: `live` goes on after the backup, and `restored` is a copy of the database from before.
const live = await testEngine();
const { db } = live;
const folder = await mkdtemp(path.join(tmpdir(), "gateway-round-"));
afterAll(() => rm(folder, { recursive: true }));

const ownerNames = [
  ...[
    "erased",
    "emptied",
    "sender",
    "heir",
    "suspended",
    "resumed",
    "changing",
    "moving",
    "mailed",
  ],
  ...["keeper", "blocker", "frozen"],
] as const;
const agentNames = ["deleted", "suspended", "narrowed", "blocked", "hooked"] as const;

async function named<Name extends string, T>(names: readonly Name[], mint: () => Promise<T>) {
  const minted: [Name, T][] = [];
  for (const name of names) minted.push([name, await mint()]);
  return Object.fromEntries(minted) as Record<Name, T>;
}

const root = await mintAdmin(live);
const demoted = await mintAdmin(live);
const owners = await named(ownerNames, () => mintOwner(live));
const agents = await named(agentNames, () => mintAgent(live));
const pending = await mintAgent(live, { state: "pending" });
const ofChanging = { registeredBy: owners.changing.userId, origin: "user" } as const;
const own = await mintAgent(live, ofChanging);
const { keeper } = owners;
const keepers = { owner: keeper, agent: agents.hooked };
const of = (owner: Owner) => signedIn(live, owner);
const did = keeper.did;

const memories = {
  deleted: (await giveMemory(live, keeper.profileId)).id,
  restored: (await giveMemory(live, keeper.profileId)).id,
  kept: (await giveMemory(live, keeper.profileId)).id,
};
const { id: proposalId } = await giveProposal(live, {
  ...{ profileId: keeper.profileId, agentDid: agents.hooked.did },
});
await reviewProposal(of(keeper), { did, proposalId, action: "approve" });
const approved = await db.memory.findUniqueOrThrow({ where: { proposalId } });

async function receiptFor(agentDid: string): Promise<string> {
  const id = newId("rcpt");
  const expiresAt = new Date(testNow.getTime() + 3_600_000);
  const terms = { grantedScopes: ["prof:interests"], purposeType: "research", agentDid };
  const of = { id, profileId: keeper.profileId, grantedAt: testNow, expiresAt };
  await db.receipt.create({ data: { ...of, ...terms } });
  return id;
}
const receipts = {
  revoked: await receiptFor(agents.hooked.did),
  restored: await receiptFor(agents.blocked.did),
};
const tokens = {
  revoked: (await giveToken(live, keepers)).id,
  kept: (await giveToken(live, keepers)).id,
};
const deny: Scope[] = ["prof:health"];
const rule = (given: object) => givePolicy(live, keeper.profileId, given);
const rules = {
  switched: (await rule({ deny })).id,
  removed: (await rule({})).id,
  kept: (await rule({})).id,
  before: (await rule({})).id,
};
const { id: open } = await givePolicy(live, owners.blocker.profileId, {});
const { changing, mailed } = owners;
await db.user.update({ where: { id: changing.userId }, data: { passwordHash: "old" } });
const linked = { provider: "github", providerAccountId: "7", userId: changing.userId };
await db.account.create({ data: { ...linked, createdAt: testNow } });
for (const { userId } of [mailed, owners.moving]) {
  const mailbox = { userId, stopKey: Buffer.from(userId.slice(-16)), confirmedAt: testNow };
  await db.mailbox.create({ data: mailbox });
}
const tea = { category: "prof:interests", name: "tea" };
await giveNamedValue(live, keeper.profileId, { ...tea, value: "green" });
await giveNamedValue(live, keeper.profileId, { ...tea, name: "coffee", value: "no" });
const setCommon = (common: object) =>
  db.profile.update({ where: { did }, data: { common: { preferences: {}, ...common } } });
await setCommon({ identity: { displayName: "Alice", pronouns: "she" }, timeZone: "UTC" });
for (const { ctx, did } of [
  { ctx: demoted.ctx, did: agents.narrowed.did },
  { ctx: of(changing), did: own.did },
]) {
  await setWebhook(ctx, { did, url: "https://another.test/hook", allowsLoopback: false });
}
await db.webhook.create({
  data: {
    ...{ agentDid: agents.hooked.did, url: "https://iris.test/hook", secret: Buffer.alloc(32, 1) },
    ...{ createdAt: testNow, updatedAt: testNow },
  },
});
await db.delivery.create({
  data: {
    ...{ id: newId("msg"), sink: "webhook", recipient: agents.hooked.did, kind: "webhook.test" },
    ...{ body: {}, dueAt: testNow, madeAt: testNow },
  },
});
const approving = await startApproving(of(keeper), {
  ...{ did, agentDid: agents.hooked.did, categories: ["prof:interests"] },
  ...{ confidenceMin: 0.8, days: 30, usesMax: 100 },
});
const reviewing = { id: newId("rvw"), profileId: keeper.profileId, userId: owners.heir.userId };
await db.reviewer.create({
  data: { ...reviewing, createdAt: testNow, expiresAt: new Date(testNow.getTime() + 86_400_000) },
});
// Changed before the backup, which has it as it is.
await switchPolicy(of(keeper), { did, policyId: rules.before, enabled: false });
await switchPolicy(of(keeper), { did, policyId: rules.before, enabled: true });

const url = await copyDatabase(live.env.DATABASE_URL ?? "");
const restored = createEngine(
  loadEnv({ NODE_ENV: "test", DATABASE_URL: url }),
  createLog({ level: "silent" }),
);
afterAll(() => restored.stop());

const seen = testNow;
const change = (how: "delete" | "undelete", memoryId: string, at = seen) =>
  changeMemoryStates(of(keeper), { did, how, memories: [{ memoryId, seen: at }] });
await change("delete", memories.deleted);
await change("delete", memories.restored);
const between = await db.memory.findUniqueOrThrow({ where: { id: memories.restored } });
await change("undelete", memories.restored, between.updatedAt);
await reopenProposals(of(keeper), { did, proposalIds: [proposalId] });
await revokeReceipt(of(keeper), { did, receiptId: receipts.revoked });
const { eventId } = await revokeAgent(of(keeper), { did, agentDid: agents.blocked.did });
await restoreAccess(of(keeper), { did, eventId });
await revokeToken(of(keeper), { did, tokenId: tokens.revoked });
const revokedKey = await db.key.findFirstOrThrow({ where: { did } });
await revokeKey(of(keeper), { did, keyId: revokedKey.id });
await switchPolicy(of(keeper), { did, policyId: rules.switched, enabled: false });
await removePolicy(of(keeper), { did, policyId: rules.removed });
await endApproving(of(keeper), { did, ruleId: approving.ruleId });
await db.reviewer.update({ where: { id: reviewing.id }, data: { endedAt: testNow } });
const blocking = { did: owners.blocker.did, agentDid: agents.blocked.did, blocks: true };
await revokeAgent(of(owners.blocker), blocking);
await deleteProfile(of(owners.emptied), { did: owners.emptied.did });
await deleteAccount(of(owners.erased));
const { sender, heir } = owners;
const { email } = await db.user.findUniqueOrThrow({ where: { id: heir.userId } });
await transferProfile(root.ctx, { did: sender.did, email });
for (const owner of [sender, heir]) {
  await answerTransfer(of(owner), await shownTransfer(live, sender.did));
}
await deleteAccount(of(sender));
await suspendProfile(root.ctx, owners.frozen.did);
await suspendUser(root.ctx, owners.suspended.userId);
await suspendUser(root.ctx, owners.resumed.userId);
await resumeUser(root.ctx, owners.resumed.userId);
await changeRole(root.ctx, { userId: demoted.userId, role: "user" });
await setPassword(of(changing), { from: "old", to: "new" });
await db.user.update({ where: { id: owners.moving.userId }, data: { email: "new@moving.test" } });
await db.mailbox.update({ where: { userId: mailed.userId }, data: { digest: "never" } });
await db.webhook.delete({ where: { agentDid: agents.hooked.did } });
await db.namedValue.deleteMany({ where: { profileId: keeper.profileId, ...tea } });
await setCommon({ identity: { displayName: "Alice" } });
await deleteAgent(root.ctx, agents.deleted.did);
await deleteAgent(root.ctx, pending.did);
await suspendAgent(root.ctx, { did: agents.suspended.did, reason: "Spam." });
await setCeiling(root.ctx, { did: agents.narrowed.did, ceiling: ["prof:preferences"] });
// Made and erased after the backup.
const brief = await mintOwner(live);
await deleteAccount(of(brief));

const file = path.join(folder, "gone.jsonl");
while ((await copyGone(db, [fileTarget(file)])) > 0);
const { entries } = await readCopy(file);
const ctx = contextOf({ ...restored, now: () => testNow }, { kind: "shell" });
const counts = await applyGone(ctx, entries);
const after = restored.db;

test("the file has what the table of the live database has", async () => {
  const name = ({ at, kind, key }: GoneEntry) => `${at.toISOString()} ${kind} ${key}`;
  expect(entries.map(name).sort()).toEqual((await readGone(db, new Date(0))).map(name).sort());
});

test("each kind says how many rows it changed", () => {
  expect(counts).toEqual({
    ...{ "profile.erased": 2, "profile.transferred": 1, "account.erased": 2 },
    ...{ "agent.deleted": 1, "agent.withdrawn": 1, "agent.suspended": 1, "agent.narrowed": 1 },
    ...{
      "memory.deleted": 2,
      "value.removed": 3,
      "receipt.revoked": 1,
      "token.revoked": 1,
      "key.revoked": 2,
    },
    ...{ "policy.changed": 2, "policy.denied": 1, "profile.suspended": 1, "account.suspended": 1 },
    ...{ "admin.removed": 1, "password.changed": 1, "address.changed": 1, "provider.unlinked": 1 },
    ...{ "mail.stopped": 1, "webhook.removed": 1, "approving.ended": 1, "reviewing.ended": 1 },
  });
});

describe("after a restore", () => {
  test("erased accounts and profiles are gone, with their DIDs", async () => {
    const dids = [owners.erased.did, owners.emptied.did];
    expect(await after.profile.count({ where: { did: { in: dids } } })).toBe(0);
    const ids = [owners.erased.userId, sender.userId];
    expect(await after.user.count({ where: { id: { in: ids } } })).toBe(0);
    expect(await after.user.count({ where: { id: owners.emptied.userId } })).toBe(1);
    const [, , , namespace = "", handle = ""] = brief.did.split(":");
    const person = signedIn({ ...restored, now: () => testNow }, keeper);
    const again = addProfile(person, { namespace, handle, name: "Next" });
    await expect(again).rejects.toMatchObject({ code: "PROF006" });
  });

  test("a rule that approves and a reviewer stay ended", async () => {
    const ended = { endedAt: { not: null } };
    expect(await after.approveRule.count({ where: { id: approving.ruleId, ...ended } })).toBe(1);
    expect(await after.reviewer.count({ where: { id: reviewing.id, ...ended } })).toBe(1);
  });

  test("a transferred profile is kept for an admin, by an account that nobody signs in to", async () => {
    const { owner, ...profile } = await after.profile.findUniqueOrThrow({
      where: { did: sender.did },
      include: { owner: true },
    });
    expect(profile.state).toBe("suspended");
    expect(owner).toMatchObject({ passwordHash: null, role: "user", state: "active" });
    expect(owner.email).toMatch(/@transferred\.invalid$/);
  });

  test("deleted memories are deleted, and can be restored; one that was restored is there", async () => {
    const { deleted, restored: back, kept } = memories;
    const all = await after.memory.findMany({ where: { deletedAt: null }, select: { id: true } });
    const there = all.map(({ id }) => id);
    expect(there).toEqual(expect.arrayContaining([back, kept]));
    expect(there).not.toContain(deleted);
    expect(there).not.toContain(approved.id);
    const memory = await after.memory.findUniqueOrThrow({ where: { id: deleted } });
    const revision = await after.memoryRevision.findFirst({ where: { memoryId: deleted } });
    expect(revision).toMatchObject({
      ...{ cause: "deleted", deletedAt: null, createdAt: memory.updatedAt },
    });
  });

  test("removed values are removed, and others are there", async () => {
    const values = await after.namedValue.findMany({ where: { profileId: keeper.profileId } });
    expect(values.map(({ name }) => name)).toEqual(["coffee"]);
    const { common } = await after.profile.findUniqueOrThrow({ where: { did } });
    expect(common).toEqual({ preferences: {}, identity: { displayName: "Alice" } });
  });

  test("revoked receipts, tokens and keys are revoked; those let in again are not", async () => {
    const where = { revokedAt: null };
    const live = [
      ...(await after.receipt.findMany({ where, select: { id: true } })),
      ...(await after.connectionToken.findMany({ where, select: { id: true } })),
    ].map(({ id }) => id);
    expect(live.sort()).toEqual([receipts.restored, tokens.kept].sort());
    const key = await after.key.findUniqueOrThrow({ where: { id: revokedKey.id } });
    expect(key).toMatchObject({ slot: null, revokedAt: testNow });
  });

  test("changed rules are off, keep what they deny, and their owner reads so", async () => {
    const { profileId } = keeper;
    const where = { profileId, enabled: true, allow: { isEmpty: false } };
    const on = await after.policy.findMany({ where, select: { id: true } });
    expect(on.map(({ id }) => id).sort()).toEqual([rules.kept, rules.before].sort());
    expect(
      await after.policy.count({
        where: { profileId, enabled: true, deny: { has: "prof:health" } },
      }),
    ).toBe(1);
    const event = (await eventsOf(restored, profileId)).find(
      ({ verb }) => verb === "restoreBackup",
    );
    expect(event).toMatchObject({ actor: "system", actorId: "gateway" });
    expect(event?.detail).toEqual({
      policies: expect.toSatisfy((ids: string[]) =>
        [rules.switched, rules.removed].every((id) => ids.includes(id)),
      ),
    });
  });

  test("a profile that blocked an agent has no rule that lets the agent in", async () => {
    expect(await after.policy.findUniqueOrThrow({ where: { id: open } })).toMatchObject({
      enabled: false,
    });
  });

  test("agents are deleted or suspended, and their DIDs retired if they were approved", async () => {
    const { deleted, suspended, narrowed, blocked } = agents;
    const dids = [deleted.did, pending.did];
    expect(await after.agent.count({ where: { did: { in: dids } } })).toBe(0);
    expect(await after.key.count({ where: { did: { in: dids } } })).toBe(0);
    const hash = (one: string) => new Uint8Array(createHash("sha256").update(one).digest());
    const retired = (one: string) => after.retiredDid.count({ where: { didHash: hash(one) } });
    expect([await retired(deleted.did), await retired(pending.did)]).toEqual([1, 0]);
    const states = await after.agent.findMany({
      where: { did: { in: [suspended.did, narrowed.did, blocked.did] } },
      select: { did: true, state: true },
    });
    expect(new Map(states.map(({ did, state }) => [did, state]))).toEqual(
      new Map([
        [suspended.did, "suspended"],
        [narrowed.did, "suspended"],
        [blocked.did, "active"],
      ]),
    );
  });

  test("profiles and accounts are suspended; one that was resumed is active", async () => {
    const state = async (owner: Owner) =>
      (await after.user.findUniqueOrThrow({ where: { id: owner.userId } })).state;
    expect(await state(owners.suspended)).toBe("suspended");
    expect(await state(owners.resumed)).toBe("active");
    const frozen = await after.profile.findUniqueOrThrow({ where: { did: owners.frozen.did } });
    expect(frozen.state).toBe("suspended");
    const { role } = await after.user.findUniqueOrThrow({ where: { id: demoted.userId } });
    expect(role).toBe("user");
  });

  test("a changed password, a sign-in of it and an unlinked provider work no more", async () => {
    const { userId } = changing;
    const { passwordHash, state } = await after.user.findUniqueOrThrow({ where: { id: userId } });
    expect([passwordHash, state]).toEqual([null, "active"]);
    expect(await after.session.count({ where: { userId } })).toBe(0);
    expect(await after.account.count({ where: { userId } })).toBe(0);
  });

  test("an account whose address changed is suspended, without mail, and admins read so", async () => {
    const { userId } = owners.moving;
    const user = await after.user.findUniqueOrThrow({ where: { id: userId } });
    expect(user).toMatchObject({ state: "suspended", passwordHash: null });
    expect(await after.mailbox.count({ where: { userId } })).toBe(0);
    const event = await after.adminEvent.findFirst({ where: { subjectId: userId } });
    expect(event).toMatchObject({
      ...{ adminId: "gateway", verb: "suspendUser" },
      after: { state: "suspended", reason: "address.changed" },
    });
  });

  test("stopped mail and removed webhooks stay so, and those that were paused are", async () => {
    const mailbox = await after.mailbox.findUniqueOrThrow({ where: { userId: mailed.userId } });
    expect(mailbox).toMatchObject({ requests: false, agents: false, digest: "never" });
    const hooks = await after.webhook.findMany({ orderBy: { createdAt: "asc" } });
    expect(hooks.map(({ agentDid, state }) => [agentDid, state])).toEqual(
      [agents.narrowed.did, own.did].map((did) => [did, "paused"]),
    );
    expect(await after.delivery.count({ where: { sink: "webhook" } })).toBe(0);
  });
});

/** Everything in the restored database, but its statistics. */
async function contents(): Promise<unknown> {
  const { rows } = await restored.pool.query(
    `SELECT c.relname, query_to_xml(format('SELECT md5(string_agg(t::text, '' '' ORDER BY t::text)) FROM %I t', c.relname),
       false, true, '')::text AS digest
     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND NOT c.relispartition ORDER BY 1`,
  );
  return rows;
}

test("the same entries again, doubled and in any order, change nothing", async () => {
  const before = await contents();
  expect(await applyGone(ctx, [...entries.toReversed(), ...entries])).toEqual({});
  expect(await contents()).toEqual(before);
});

test("the restored database has each entry for the next restore", async () => {
  const name = ({ at, kind, key }: GoneEntry) => `${at.toISOString()} ${kind} ${key}`;
  const stored = new Set((await readGone(after, new Date(0))).map(name));
  expect(entries.filter((entry) => !stored.has(name(entry)))).toEqual([]);
});

test("a kind of a newer version is refused before anything is changed", async () => {
  const before = await contents();
  const at = testNow;
  const key = new Uint8Array(createHash("sha256").update(keeper.did).digest());
  const unknown = [
    { at, kind: "profile.erased", key },
    { at, kind: "passkey.revoked", key },
  ];
  await expect(applyGone(ctx, unknown)).rejects.toThrow(
    /passkey\.revoked.*the version that wrote it/,
  );
  expect(await contents()).toEqual(before);
});
