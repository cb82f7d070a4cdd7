import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { databaseCode } from "@/lib/engine/db";
import { newId } from "@/lib/engine/random";
import { overtakeVerb } from "@/tests/support/collide";
import { shownTransfer } from "@/tests/support/dashboard-api";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  eventsOf,
  giveEvent,
  giveMemory,
  giveNamedValue,
  givePolicy,
  giveProposal,
  giveSession,
  giveToken,
  type Minted,
  mintAdmin,
  mintAgent,
  mintOwner,
  type Owner,
  personOf,
  signedIn,
} from "@/tests/support/personas";
import { adminsLock } from "../accounts/admins";
import { redeemLink } from "../accounts/links";
import { addProfile } from "../accounts/new-profile";
import { setProfileFormat, suspendProfile } from "../admin/profiles/change-profile";
import { createProfileFor } from "../admin/profiles/create-profile";
import { transferProfile } from "../admin/profiles/transfer-profile";
import { inviteUser, issueResetLink } from "../admin/users/links";
import { sealEvents } from "../audit/seal-events";
import { contextOf } from "../context";
import { answerTransfer } from "../transfers/answer";
import { countHoldings } from "./count-holdings";
import { deleteAccount } from "./delete-account";
import { deleteProfile, tombstoneOf } from "./delete-profile";
import { eraseProfile } from "./erase-profile";

const engine = await testEngine({ LIMIT_PROFILE: "1000", LIMIT_PROPOSE: "1000" });
let secret: string;
let owner: Owner;
let agent: Minted;

beforeEach(async () => {
  engine.setNow(testNow);
  secret = randomUUID();
  owner = await mintOwner(engine, {
    common: { identity: { displayName: secret }, preferences: {} },
  });
  agent = await mintAgent(engine);
  const { profileId } = owner;
  const memory = await giveMemory(engine, profileId, { content: secret });
  await engine.db.memoryRevision.create({
    data: {
      createdAt: testNow,
      memoryId: memory.id,
      category: "prof:x",
      content: secret,
      confidence: 1,
      cause: "edited",
    },
  });
  const by = { profileId, agentDid: agent.did };
  const { id: subjectId } = await giveProposal(engine, { ...by, content: secret });
  await engine.db.inquiry.create({
    data: { ...by, subjectId, question: secret, askedAt: testNow },
  });
  await giveNamedValue(engine, profileId, { category: "prof:x", name: "n", value: secret });
  await givePolicy(engine, profileId, { agentPattern: agent.did });
  await giveToken(engine, { owner, agent });
  await giveSession(engine, { userId: owner.userId, userAgent: secret });
  await agent.client.getProfile({ did: owner.did });
  while ((await sealEvents(engine.db, testNow)) > 0);
  await agent.client.getProfile({ did: owner.did });
});

const ctx = () => signedIn(engine, owner);

// Whatever table, whatever column: the database as text.
async function tablesWith(words: string[]): Promise<string[]> {
  const { rows } = await engine.pool.query<{ tables: string[] }>(
    `SELECT array_agg(found::text) AS tables FROM (
       SELECT c.relname AS found FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = 'public' AND c.relkind = 'r'
         AND (xpath('/row/c/text()', query_to_xml(format(
           'SELECT count(*) AS c FROM %I t WHERE t::text ~ %L', c.relname, $1::text), false, true, ''
         )))[1]::text::int > 0 ORDER BY 1) hits`,
    [words.join("|")],
  );
  return rows[0]?.tables ?? [];
}

test("counts what a deletion would remove", async () => {
  expect(await countHoldings(ctx())).toEqual([
    {
      did: owner.did,
      namedValues: 1,
      memories: 1,
      proposals: 1,
      policies: 1,
      receipts: 0,
      tokens: 1,
      keys: 1,
      events: 2,
    },
  ]);
});

test("counts suspended profiles, and nothing of other users", async () => {
  await engine.db.profile.update({
    where: { id: owner.profileId },
    data: { state: "suspended" },
  });
  expect(await countHoldings(ctx())).toMatchObject([{ did: owner.did, memories: 1 }]);
  const stranger = await mintOwner(engine);
  const theirs = await countHoldings(signedIn(engine, stranger));
  expect(theirs).toMatchObject([{ did: stranger.did, memories: 0 }]);
  const nobody = contextOf(engine, { kind: "nobody" });
  await expect(countHoldings(nobody)).rejects.toMatchObject({ code: "PROF002" });
});

test.each<["user" | "admin" | "itself", string]>([
  ["user", "suspended"],
  ["admin", "active"],
  ["itself", "active"],
])(
  "an agent registered by %s is %s once the account of that person is deleted",
  async (origin, state) => {
    const { did } = await mintAgent(engine, { origin, registeredBy: owner.userId });
    await deleteAccount(ctx());
    const left = await engine.db.agent.findUniqueOrThrow({ where: { did } });
    expect(left).toMatchObject({ state, registeredBy: null });
  },
);

describe("a deleted profile", () => {
  test("leaves its DID to nobody who asks for it while it is deleted", async () => {
    const other = signedIn(engine, await mintOwner(engine));
    const [, , , namespace = "", handle = ""] = owner.did.split(":");
    const outcome = await overtakeVerb(
      engine,
      (tx) => eraseProfile(tx, { profile: { id: owner.profileId, did: owner.did }, now: testNow }),
      () => addProfile(other, { namespace, handle, name: "Next" }),
    );
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "PROF006" } });
    expect(await engine.db.profile.count({ where: { did: owner.did } })).toBe(0);
  });

  test("leaves no word in any table, and its agent's next request finds nothing", async () => {
    expect(await tablesWith([secret])).toEqual(expect.arrayContaining(["Inquiry", "Memory"]));
    await deleteProfile(ctx(), owner);
    expect(await tablesWith([owner.did])).toEqual([]);
    expect(await tablesWith([secret])).toEqual(["Session"]);
    const read = agent.client.getProfile({ did: owner.did });
    await expect(read).rejects.toMatchObject({ code: "PROF003" });
  });

  test("leaves no count of what its key did on other profiles", async () => {
    const other = await mintOwner(engine);
    const { did } = owner;
    const day = new Date(testNow.toISOString().slice(0, 10));
    await engine.db.agentDay.create({ data: { did, day, requests: 1 } });
    await deleteProfile(ctx(), owner);
    await giveEvent(engine, { profileId: other.profileId, actorId: did });
    while ((await sealEvents(engine.db, testNow)) > 0);
    expect(await engine.db.agentDay.count({ where: { did } })).toBe(0);
  });

  test("leaves of its log the last seal alone", async () => {
    await agent.client.getProfile({ did: owner.did });
    while ((await sealEvents(engine.db, testNow)) > 0);
    const { profileId } = owner;
    const seals = () =>
      engine.db.seal.findMany({ where: { profileId }, orderBy: { position: "asc" } });
    const before = await seals();
    expect(before.map(({ position }) => position)).toEqual([1n, 3n]);
    await deleteProfile(ctx(), owner);
    expect(await eventsOf(engine, profileId)).toEqual([]);
    expect(await seals()).toEqual(before.slice(1));
    const adminEvents = await engine.db.adminEvent.findMany({ where: { adminId: owner.userId } });
    expect(adminEvents).toMatchObject([
      { verb: "deleteProfile", subjectId: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
    ]);
  });

  test("is never made again under its DID", async () => {
    await deleteProfile(ctx(), owner);
    const handle = owner.did.split(":").at(-1) ?? "";
    const again = addProfile(ctx(), { namespace: "local", handle, name: "Again" });
    await expect(again).rejects.toMatchObject({ code: "PROF006" });
  });

  test("is deleted by its owner only, and once", async () => {
    const other = signedIn(engine, await mintOwner(engine));
    await expect(deleteProfile(other, owner)).rejects.toMatchObject({ code: "PROF002" });
    const settled = await Promise.allSettled([0, 1].map(() => deleteProfile(ctx(), owner)));
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    // What the loser's refusal left is gone with the next sealing.
    await sealEvents(engine.db, testNow);
    expect(await tablesWith([owner.did])).toEqual([]);
  });
});

describe("while a profile is being erased", () => {
  const erasing = (inBetween: () => Promise<void>) =>
    engine.db.$transaction(async (tx) => {
      const profile = { id: owner.profileId, did: owner.did };
      await eraseProfile(tx, { profile, now: testNow });
      await inBetween();
    });

  test("a change of its lists that was under way goes first, and neither of them fails", async () => {
    const { pool } = engine;
    const changing = await pool.connect();
    const narrowed = `WHERE "profileId" = ${owner.profileId}`;
    await changing.query("BEGIN");
    await changing.query(`SELECT FROM "Proposal" ${narrowed} FOR UPDATE`);
    const deleting = deleteProfile(ctx(), owner);
    deleting.catch(() => undefined);
    const waits = async () => {
      const { rows } = await pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length;
    };
    await expect.poll(waits).toBe(1);
    await changing.query(
      `UPDATE "Proposal" SET status = 'rejected', "reviewedAt" = "expiresAt", reason = 'expired' ${narrowed}`,
    );
    await changing.query("COMMIT");
    changing.release();
    await deleting;
    expect(await tablesWith([owner.did])).toEqual([]);
  });

  test("what an agent does on it is not sealed, and goes once the profile is gone", async () => {
    await erasing(async () => {
      await giveEvent(engine, { profileId: owner.profileId, actorId: agent.did });
      expect(await sealEvents(engine.db, testNow)).toBe(0);
    });
    await sealEvents(engine.db, testNow);
    expect(await eventsOf(engine, owner.profileId)).toEqual([]);
  });

  test("what was done on it goes also where more waits to be sealed than is looked at at once", async () => {
    const other = await mintOwner(engine);
    await engine.pool.query(
      `INSERT INTO "AccessEvent" (id, "profileId", at, actor, "actorId", verb, outcome, "requestId")
       SELECT 'evt_' || $1::int || 'x' || n, $1::int, $2::timestamptz - interval '1 hour', 'agent', $3, 'getProfile', 'ok', 'req'
       FROM generate_series(1, 1200) n`,
      [other.profileId, testNow, agent.did],
    );
    await erasing(async () => {
      await giveEvent(engine, { profileId: owner.profileId, actorId: agent.did });
    });
    while ((await sealEvents(engine.db, testNow)) > 0);
    expect(await eventsOf(engine, owner.profileId)).toEqual([]);
    expect(await eventsOf(engine, other.profileId)).toHaveLength(1200);
  });

  test("the events of everybody else are sealed as ever", async () => {
    const other = await mintOwner(engine);
    await giveEvent(engine, { profileId: other.profileId, actorId: agent.did });
    await erasing(async () => {
      expect(await sealEvents(engine.db, testNow)).toBe(1);
    });
    expect(await eventsOf(engine, other.profileId)).toMatchObject([{ position: 1n }]);
  });
});

describe("a deleted account", () => {
  test("takes every profile, session and key with it", async () => {
    const handle = randomUUID();
    const second = await addProfile(ctx(), { namespace: "local", handle, name: secret });
    await deleteAccount(ctx());
    expect(await tablesWith([secret, owner.did, second])).toEqual([]);
    expect(await tablesWith([owner.userId])).toEqual(["AdminEvent"]);
    const adminEvents = await engine.db.adminEvent.findMany({ where: { adminId: owner.userId } });
    expect(adminEvents).toMatchObject([{ verb: "deleteAccount", subjectId: owner.userId }]);
  });

  test("leaves no address and no DID of what admins and scripts did with it", async () => {
    const root = await mintAdmin(engine);
    const email = `${newId("new")}@example.com`.toLowerCase();
    const { token } = await inviteUser(root.ctx, { email, role: "user" });
    const handle = newId("new");
    const typed = { email, handle, name: "New", passwordHash: "x", namespace: "local" };
    const { userId, did } = await redeemLink(root.ctx, { ...typed, token });
    const made = { userId, namespace: "local", handle: `${handle}-2`, name: "Second" };
    const second = await createProfileFor(root.ctx, made);
    await issueResetLink(root.ctx, userId);
    await setProfileFormat(root.ctx, { did: second, profileType: "entity", version: "1.1" });
    await engine.db.user.update({ where: { id: userId }, data: { createdAt: new Date(0) } });
    await transferProfile(root.ctx, { did: owner.did, email });
    const theirs = contextOf(engine, await personOf(engine, { userId }));
    await answerTransfer(ctx(), await shownTransfer(engine, owner.did));
    await answerTransfer(theirs, await shownTransfer(engine, owner.did));
    await suspendProfile(root.ctx, owner.did);
    const caller = `user:${userId}`;
    await engine.counters.admit({ caller, class: "session", limit: 5 });
    expect(await tablesWith([caller])).toEqual(["RateWindow"]);
    expect(await tablesWith([email])).toEqual(["OneTimeLink", "User"]);
    await deleteAccount(theirs);
    expect(await tablesWith([caller, email, did, second, owner.did])).toEqual([]);
  });

  test("takes the transfers with it that wait for it, from it and to it", async () => {
    const [root, other] = [await mintAdmin(engine), await mintOwner(engine)];
    const emailOf = async (id: string) =>
      (await engine.db.user.findUniqueOrThrow({ where: { id } })).email;
    const [mine, others] = [await emailOf(owner.userId), await emailOf(other.userId)];
    await transferProfile(root.ctx, { did: owner.did, email: others });
    await transferProfile(root.ctx, { did: other.did, email: mine });
    expect(await tablesWith([owner.userId])).toContain("Transfer");
    await deleteAccount(ctx());
    expect(await tablesWith([owner.userId])).toEqual(["AdminEvent"]);
    expect(await engine.db.transfer.count()).toBe(0);
  });

  test("loses its profiles while somebody else is changing who is an admin, and is gone afterwards", async () => {
    const handle = randomUUID();
    const second = await addProfile(ctx(), { namespace: "local", handle, name: secret });
    const holder = await engine.pool.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT pg_advisory_xact_lock($1)", [adminsLock]);
    const deleting = deleteAccount(ctx());
    const profilesLeft = () => engine.db.profile.count({ where: { ownerId: owner.userId } });
    await expect.poll(profilesLeft).toBe(0);
    expect(await engine.db.user.count({ where: { id: owner.userId } })).toBe(1);
    await holder.query("COMMIT");
    holder.release();
    await deleting;
    expect(await tablesWith([secret, owner.did, second])).toEqual([]);
    const verbs = ["deleteProfile", "deleteProfile", "deleteAccount"];
    const { requestId, after } = await engine.db.adminEvent.findFirstOrThrow({
      where: { adminId: owner.userId },
    });
    const events = await engine.db.adminEvent.findMany({ where: { requestId } });
    expect(events.map(({ verb }) => verb).sort()).toEqual(verbs.sort());
    expect(after).toEqual({ profiles: [owner.did, second].map(tombstoneOf) });
  });

  test("whose deletion fails half way has fewer profiles, each gone whole, and can be deleted again", async () => {
    const handle = randomUUID();
    const second = await addProfile(ctx(), { namespace: "local", handle, name: "Second" });
    const holder = await engine.pool.connect();
    await holder.query("BEGIN");
    await holder.query(`SELECT FROM "Profile" WHERE did = $1 FOR UPDATE`, [second]);
    const failure = await deleteAccount(ctx()).catch(databaseCode);
    holder.release(true);
    expect(failure).toBe("55P03");
    expect(await tablesWith([owner.did])).toEqual([]);
    const adminEvents = await engine.db.adminEvent.findMany({
      where: { subjectId: tombstoneOf(owner.did) },
    });
    expect(adminEvents).toMatchObject([
      { verb: "deleteProfile", before: { ownerId: owner.userId } },
    ]);
    await deleteAccount(ctx());
    expect(await tablesWith([secret, owner.did, second])).toEqual([]);
  });

  test("is not the last admin's, who keeps every profile", async () => {
    await engine.db.user.updateMany({ where: { role: "admin" }, data: { role: "user" } });
    await engine.db.user.update({ where: { id: owner.userId }, data: { role: "admin" } });
    const admin = contextOf(
      engine,
      await personOf(engine, { userId: owner.userId, role: "admin" }),
    );
    await expect(deleteAccount(admin)).rejects.toMatchObject({ code: "PROF002" });
    expect(await engine.db.profile.count({ where: { ownerId: owner.userId } })).toBe(1);
    await engine.db.user.update({ where: { id: owner.userId }, data: { role: "user" } });
  });

  test("that is being deleted elsewhere is deleted once, and the other requests are told to sign in", async () => {
    const settled = await Promise.allSettled(Array.from({ length: 8 }, () => deleteAccount(ctx())));
    const done = settled.filter(({ status }) => status === "fulfilled");
    const refused = settled.flatMap((one) => (one.status === "rejected" ? one.reason.code : []));
    expect([done.length, new Set(refused)]).toEqual([1, new Set(["PROF001"])]);
    expect(await tablesWith([owner.userId])).toEqual(["AdminEvent"]);
  });

  test("is nobody's who is not signed in", async () => {
    const nobody = contextOf(engine, { kind: "nobody" });
    await expect(deleteAccount(nobody)).rejects.toMatchObject({ code: "PROF002" });
  });

  test("is not the last admin's: of two who leave at once, one stays", async () => {
    await engine.db.user.updateMany({ where: { role: "admin" }, data: { role: "user" } });
    const admins = [owner, await mintOwner(engine)];
    const ids = admins.map(({ userId }) => userId);
    await engine.db.user.updateMany({ where: { id: { in: ids } }, data: { role: "admin" } });
    const callers = await Promise.all(
      ids.map((userId) => personOf(engine, { userId, role: "admin" })),
    );
    const settled = await Promise.allSettled(
      callers.map((caller) => deleteAccount(contextOf(engine, caller))),
    );
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await engine.db.user.count({ where: { role: "admin" } })).toBe(1);
    expect(await engine.db.profile.count({ where: { ownerId: { in: ids } } })).toBe(1);
  });
});

test("10,000 memories, 10,000 proposals and 100,000 events go within one request", async () => {
  await engine.pool.query(
    `INSERT INTO "Proposal" (id, "profileId", "agentDid", content, "contentHash", category, confidence, "proposedAt", "expiresAt", status, "reviewedAt")
     SELECT 'prop_' || $1::int || 'x' || n, $1::int, $2, 'Likes walk ' || n, sha256(n::text::bytea), 'prof:interests', 0.5, now(), now() + interval '7 days', 'approved', now()
     FROM generate_series(1, 10000) n`,
    [owner.profileId, agent.did],
  );
  await engine.pool.query(
    `INSERT INTO "Memory" (id, "profileId", category, content, confidence, source, "proposalId", "createdAt", "updatedAt")
     SELECT 'mem_' || $1::int || 'x' || n, $1::int, 'prof:interests', 'Likes walk ' || n, 0.5, 'owner', 'prop_' || $1::int || 'x' || n, now(), now()
     FROM generate_series(1, 10000) n`,
    [owner.profileId],
  );
  await engine.pool.query(
    `INSERT INTO "AccessEvent" (id, "profileId", at, actor, "actorId", verb, outcome, "requestId", position, hash)
     SELECT 'evt_' || $1::int || 'x' || n, $1::int, now() - n * interval '1 minute', 'agent', $2, 'getProfile', 'ok', 'req', n + 10, sha256(n::text::bytea)
     FROM generate_series(1, 100000) n`,
    [owner.profileId, agent.did],
  );
  const before = performance.now();
  await deleteAccount(ctx());
  expect(performance.now() - before).toBeLessThan(20_000);
  expect(await tablesWith([owner.did])).toEqual([]);
}, 120_000);

test("an erased person's DID stays the actor of what its key did on another profile", async () => {
  const other = await mintOwner(engine);
  await expect(owner.client.getProfile({ did: other.did })).rejects.toMatchObject({
    code: "PROF002",
  });
  await deleteAccount(ctx());
  expect(await eventsOf(engine, other.profileId)).toMatchObject([
    { actor: "agent", actorId: owner.did, outcome: "PROF002" },
  ]);
});
