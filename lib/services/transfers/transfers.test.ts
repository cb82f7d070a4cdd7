import { describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import type { Did } from "@/lib/protocol/did";
import { overtake } from "@/tests/support/collide";
import { shownTransfer } from "@/tests/support/dashboard-api";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  eventsOf,
  giveMemory,
  givePolicy,
  giveSession,
  giveToken,
  mintAdmin,
  mintAgent,
  mintOwner,
  type Owner,
  personOf,
  signedIn,
} from "@/tests/support/personas";
import { profilesPerUserMax } from "../accounts/new-profile";
import { setPassword } from "../accounts/password";
import { listHoldings, nameOf } from "../accounts/reset-holdings";
import { resetPassword } from "../accounts/reset-password";
import { findSession } from "../accounts/sessions";
import { listAdminEvents } from "../admin/list-admin-events";
import { findProfile } from "../admin/profiles/list-profiles";
import { transferProfile, withdrawTransfer } from "../admin/profiles/transfer-profile";
import { changeRole, resumeUser, suspendUser } from "../admin/users/change-user";
import { deleteUser } from "../admin/users/delete-user";
import { issueResetLink } from "../admin/users/links";
import { type Ctx, contextOf } from "../context";
import { deleteAccount } from "../erasure/delete-account";
import { loadNotices } from "../notices/account-notices";
import { getProfile } from "../profiles";
import { answerTransfer } from "./answer";
import { completeDueTransfers } from "./complete-due";

const engine = await testEngine();
const root = await mintAdmin(engine);
const dayMs = 24 * 60 * 60_000;
const emailOf = ({ userId }: Pick<Owner, "userId">) => `${userId}@alice.test`.toLowerCase();

function at(ctx: Ctx, days: number): Ctx {
  return { ...ctx, now: new Date(testNow.getTime() + days * dayMs) };
}

async function runJob(days: number): Promise<number> {
  engine.setNow(new Date(testNow.getTime() + days * dayMs));
  try {
    return await completeDueTransfers(engine);
  } finally {
    engine.setNow(testNow);
  }
}

/** Answers the transfer that is there now. */
async function answer(ctx: Ctx, { did, accepts }: { did: Did; accepts: boolean }) {
  return answerTransfer(ctx, { ...(await shownTransfer(engine, did)), accepts });
}

/** A transfer from one to the other that waits, and what both do about it. */
async function waiting() {
  const [alice, bob] = [await mintOwner(engine), await mintOwner(engine)];
  const { did } = alice;
  await transferProfile(root.ctx, { did, email: emailOf(bob) });
  const answerOf = (owner: Owner, accepts: boolean, days: number) =>
    answer(at(signedIn(engine, owner), days), { did, accepts });
  return {
    ...{ alice, bob, did },
    accept: (owner: Owner, days = 0) => answerOf(owner, true, days),
    refuse: (owner: Owner) => answerOf(owner, false, 0),
    ownerId: async () => (await findProfile(root.ctx, did)).profile.owner.id,
    isWaiting: async () => (await findProfile(root.ctx, did)).transfer !== null,
    // In no order: all happened at one instant.
    verbs: async () =>
      (await eventsOf(engine, alice.profileId))
        .map(({ verb, actor }) => `${verb} by ${actor}`)
        .sort(),
  };
}

function fill({ userId, profileId }: Owner) {
  return engine.db.profile.createMany({
    data: Array.from({ length: profilesPerUserMax - 1 }, (_none, n) => ({
      createdAt: testNow,
      updatedAt: testNow,
      did: `did:prof:user:local:full-${profileId}-${n}`,
      ownerId: userId,
    })),
  });
}

const refused = { code: "PROF006" };
const unknown = { code: "PROF003" };

describe("a requested transfer", () => {
  test("changes nothing until both owners accept: the admin's other account reads nothing", async () => {
    const { alice, bob, did, accept, ownerId } = await waiting();
    await giveMemory(engine, alice.profileId, { content: "canary" });
    expect(await accept(bob)).toBe("waiting");
    expect(await ownerId()).toBe(alice.userId);
    await expect(getProfile(signedIn(engine, bob), { did })).rejects.toMatchObject({
      code: "PROF002",
    });
    expect(await accept(alice)).toBe("transferred");
    expect(await ownerId()).toBe(bob.userId);
    await getProfile(signedIn(engine, bob), { did });
  });

  test("names the former owner to the new one as nobody, and not as an admin", async () => {
    const { alice, bob, did, accept } = await waiting();
    await Promise.all([accept(bob), accept(alice)]);
    await expect(getProfile(signedIn(engine, alice), { did })).rejects.toMatchObject({
      code: "PROF002",
    });
    await expect(getProfile(root.ctx, { did })).rejects.toMatchObject({ code: "PROF002" });
    const events = await eventsOf(engine, alice.profileId);
    const refusals = events.filter(({ outcome }) => outcome === "PROF002");
    expect(refusals.map(({ actor, actorId }) => ({ actor, actorId }))).toEqual(
      expect.arrayContaining([
        { actor: "system", actorId: "nobody" },
        { actor: "admin", actorId: root.userId },
      ]),
    );
    expect(JSON.stringify(refusals)).not.toContain(alice.userId);
  });

  test("takes effect in either order of acceptance", async () => {
    const { alice, bob, accept, ownerId } = await waiting();
    expect([await accept(alice), await accept(bob)]).toEqual(["waiting", "transferred"]);
    expect(await ownerId()).toBe(bob.userId);
  });

  const newPasswords: [string, (owner: Owner, days?: number) => Promise<unknown>][] = [
    [
      "set",
      (owner, days = 0) =>
        setPassword(at(signedIn(engine, owner), days), { from: null, to: "new" }),
    ],
    ["reset", (owner, days = 0) => resetOf(owner, { revoke: false, days })],
    [
      "reset, with all that reads revoked",
      (owner, days = 0) => resetOf(owner, { revoke: true, days }),
    ],
  ];

  async function resetOf(
    { userId }: Owner,
    { revoke, days }: { revoke: boolean; days: number },
  ): Promise<void> {
    const { token } = await issueResetLink(at(root.ctx, days), userId);
    const nobody = at(contextOf(engine, { kind: "nobody" }), days);
    const keep = revoke ? null : nameOf(await listHoldings(nobody, token));
    await resetPassword(nobody, { token, passwordHash: "new", keep });
  }

  test.each(newPasswords)(
    "is to be accepted again by an owner whose password was %s, and by nobody else",
    async (_how, renew) => {
      const { alice, bob, accept, ownerId, isWaiting } = await waiting();
      const other = await waiting();
      await accept(alice);
      await other.accept(other.alice);
      await renew(alice);
      expect(await accept(bob)).toBe("waiting");
      expect([await ownerId(), await isWaiting()]).toEqual([alice.userId, true]);
      expect(await other.accept(other.bob)).toBe("transferred");
    },
  );

  test.each(newPasswords)(
    "waits seven days from the moment that the present owner's password was %s",
    async (_how, renew) => {
      const { alice, bob, accept, ownerId } = await waiting();
      await accept(alice);
      const sixDays = new Date(testNow.getTime() + 6 * dayMs);
      await engine.db.session.updateMany({
        where: { userId: { in: [alice.userId, root.userId] } },
        data: { confirmedAt: sixDays },
      });
      await renew(alice, 6);
      expect(await accept(bob, 6)).toBe("waiting");
      const { transfers } = await loadNotices(signedIn(engine, bob));
      expect(transfers).toMatchObject([
        { effectiveAt: new Date(sixDays.getTime() + 7 * dayMs), acceptedByOwner: false },
      ]);
      await runJob(12.99);
      expect(await ownerId()).toBe(alice.userId);
      await runJob(13);
      expect(await ownerId()).toBe(bob.userId);
    },
  );

  test("stays accepted by a new owner who sets a password", async () => {
    const { alice, bob, accept } = await waiting();
    await accept(bob);
    await setPassword(signedIn(engine, bob), { from: null, to: "new" });
    expect(await accept(alice)).toBe("transferred");
  });

  test("waits seven days for a present owner who does not answer, once the new one accepted", async () => {
    const { alice, bob, accept, ownerId, verbs } = await waiting();
    await accept(bob);
    await runJob(6.99);
    expect(await ownerId()).toBe(alice.userId);
    await runJob(7);
    expect(await ownerId()).toBe(bob.userId);
    expect(await verbs()).toEqual([
      "acceptTransfer by system",
      "requestTransfer by admin",
      "transferProfile by system",
    ]);
  });

  test("takes effect with the new owner's acceptance once the seven days are over", async () => {
    const { alice, bob, accept, ownerId } = await waiting();
    await runJob(30);
    expect(await ownerId()).toBe(alice.userId);
    expect(await accept(bob, 8)).toBe("transferred");
    expect(await ownerId()).toBe(bob.userId);
  });

  test("waits for a present owner who is suspended, and then seven days more for an answer", async () => {
    const { alice, bob, accept, ownerId } = await waiting();
    await suspendUser(root.ctx, alice.userId);
    await expect(accept(alice)).rejects.toMatchObject({ code: "PROF001" });
    await runJob(30);
    expect(await accept(bob, 20)).toBe("waiting");
    expect(await runJob(30)).toBe(0);
    expect(await ownerId()).toBe(alice.userId);
    const shown = (await loadNotices(at(signedIn(engine, bob), 30))).transfers;
    expect(shown).toMatchObject([{ waitsForOwner: true }]);
    const thirtyDays = new Date(testNow.getTime() + 30 * dayMs);
    await engine.db.session.updateMany({
      where: { userId: root.userId },
      data: {
        confirmedAt: thirtyDays,
        lastSeenAt: thirtyDays,
        expiresAt: new Date(thirtyDays.getTime() + dayMs),
      },
    });
    await resumeUser(at(root.ctx, 30), alice.userId);
    const { transfers } = await loadNotices(at(signedIn(engine, alice), 30));
    const effectiveAt = new Date(testNow.getTime() + 37 * dayMs);
    expect(transfers).toMatchObject([{ effectiveAt, waitsForOwner: false }]);
    await runJob(36.99);
    expect(await ownerId()).toBe(alice.userId);
    await runJob(37);
    expect(await ownerId()).toBe(bob.userId);
  });

  test("that its present owner accepted takes effect though they are suspended since", async () => {
    const { alice, bob, accept, ownerId } = await waiting();
    await accept(alice);
    await suspendUser(root.ctx, alice.userId);
    expect(await accept(bob)).toBe("transferred");
    expect(await ownerId()).toBe(bob.userId);
  });

  test("of suspended owners does not keep later ones from taking effect", async () => {
    for (let nth = 0; nth < 20; nth++) {
      const { alice, bob, accept } = await waiting();
      await accept(bob);
      await engine.db.user.update({ where: { id: alice.userId }, data: { state: "suspended" } });
    }
    const last = await waiting();
    await last.accept(last.bob);
    await engine.db.transfer.update({
      where: { profileId: last.alice.profileId },
      data: { effectiveAt: new Date(testNow.getTime() + 8 * dayMs) },
    });
    await runJob(8);
    expect(await last.ownerId()).toBe(last.bob.userId);
  });

  test("is over when either owner refuses it, or an admin withdraws it", async () => {
    for (const end of ["alice", "bob", "admin"] as const) {
      const transfer = await waiting();
      const { alice, bob, did, accept, refuse, isWaiting, verbs } = transfer;
      await accept(end === "alice" ? bob : alice);
      if (end === "admin") await withdrawTransfer(root.ctx, did);
      else expect(await refuse(transfer[end])).toBe("refused");
      expect(await isWaiting()).toBe(false);
      await expect(accept(alice)).rejects.toMatchObject(unknown);
      await expect(accept(bob)).rejects.toMatchObject(unknown);
      await runJob(8);
      expect(await transfer.ownerId()).toBe(alice.userId);
      expect(await verbs()).toContain(
        { alice: "refuseTransfer by owner", bob: "refuseTransfer by system" }[String(end)] ??
          "withdrawTransfer by admin",
      );
    }
  });

  test("is logged at every step, for the profile's owner and for admins", async () => {
    const { alice, bob, did, accept, verbs } = await waiting();
    await accept(alice);
    await accept(alice);
    await accept(bob);
    expect(await verbs()).toEqual([
      "acceptTransfer by owner",
      "acceptTransfer by system",
      "requestTransfer by admin",
      "transferProfile by system",
    ]);
    const { events } = await listAdminEvents(root.ctx, { subject: did, limit: 9 });
    const adminEvents = events.map(({ verb, admin, after }) => [verb, admin.id, after?.ownerId]);
    expect(new Set(adminEvents)).toEqual(
      new Set([
        ["requestTransfer", root.userId, bob.userId],
        ["acceptTransfer", alice.userId, undefined],
        ["acceptTransfer", bob.userId, undefined],
        ["transferProfile", "gateway", bob.userId],
      ]),
    );
  });

  test.each(["from", "to"] as const)(
    "that took the place of the one that was shown is not what was accepted, %s its owner",
    async (side) => {
      const { alice, bob, did, isWaiting } = await waiting();
      const shown = await shownTransfer(engine, did);
      await withdrawTransfer(root.ctx, did);
      const other = side === "from" ? await mintOwner(engine) : bob;
      await transferProfile(at(root.ctx, 1), { did, email: emailOf(other) });
      const person = signedIn(engine, side === "from" ? alice : bob);
      for (const accepts of [true, false]) {
        const answering = answerTransfer(person, { ...shown, accepts });
        await expect(answering).rejects.toMatchObject({ code: "PROF006" });
      }
      expect(await isWaiting()).toBe(true);
    },
  );

  test("is answered by its two owners only; the present one has to confirm that it is them", async () => {
    const { alice, did, accept } = await waiting();
    await expect(accept(await mintOwner(engine))).rejects.toMatchObject(unknown);
    const byAdmin = answer(root.ctx, { did, accepts: true });
    await expect(byAdmin).rejects.toMatchObject(unknown);
    const byKey = { ...root.ctx, caller: { kind: "user", ...alice } } as const;
    const signing = answer(byKey, { did, accepts: true });
    await expect(signing).rejects.toMatchObject({ code: "PROF002" });
    const confirmedAt = new Date(testNow.getTime() - dayMs);
    await engine.db.session.updateMany({ where: { userId: alice.userId }, data: { confirmedAt } });
    await expect(accept(alice)).rejects.toMatchObject({ details: { confirm: true } });
  });

  test("is shown to both owners until they answered", async () => {
    const { alice, bob, did, accept } = await waiting();
    const noticesOf = async (owner: Owner) =>
      (await loadNotices(signedIn(engine, owner))).transfers;
    const effectiveAt = new Date(testNow.getTime() + 7 * dayMs);
    const both = { did, email: emailOf(bob), requestedAt: testNow, effectiveAt };
    const open = { acceptedByOwner: false, acceptedByNew: false, waitsForOwner: false };
    expect(await noticesOf(alice)).toEqual([{ ...both, ...open, isOwner: true }]);
    expect(await noticesOf(bob)).toEqual([{ ...both, ...open, isOwner: false }]);
    await accept(bob);
    expect(await noticesOf(alice)).toMatchObject([{ acceptedByNew: true }]);
    await accept(alice);
    expect([await noticesOf(alice), await noticesOf(bob)]).toEqual([[], []]);
  });
});

describe("a transfer that takes effect", () => {
  test("gives the profile whole, and shuts the former owner and their keys out", async () => {
    const { alice, bob, did, accept } = await waiting();
    const { token } = await giveSession(engine, alice);
    const second = await mintOwner(engine);
    const ownerId = alice.userId;
    await engine.db.profile.update({ where: { id: second.profileId }, data: { ownerId } });
    const iris = await mintAgent(engine);
    await givePolicy(engine, alice.profileId, { agentPattern: iris.did });
    await accept(alice);
    await accept(bob);
    const who = await findSession(signedIn(engine, alice), token);
    expect(who?.profiles.map((profile) => profile.did)).toEqual([second.did]);
    await expect(getProfile(signedIn(engine, alice), { did })).rejects.toMatchObject({
      code: "PROF002",
    });
    await expect(alice.client.getProfile({ did })).rejects.toMatchObject({ code: "PROF001" });
    await iris.client.getProfile({ did });
    expect(await eventsOf(engine, second.profileId)).toMatchObject([
      { verb: "transferOtherProfile", actor: "system" },
    ]);
  });

  test("revokes the connection tokens that the former owner may still have", async () => {
    const { alice, bob, did, accept } = await waiting();
    const iris = await mintAgent(engine);
    const grant = await givePolicy(engine, alice.profileId, {
      agentPattern: iris.did,
      origin: "token",
    });
    const rule = await givePolicy(engine, alice.profileId, { agentPattern: iris.did });
    const { id, client } = await giveToken(engine, {
      owner: alice,
      agent: iris,
      policyId: grant.id,
    });
    await client.getOwnProfile({});
    const whose = { profileId: alice.profileId, agentDid: iris.did, id: newId("rule") };
    const bounds = { categories: ["prof:interests"], confidenceMin: 1, usesMax: 1 };
    const createdAt = engine.now();
    const expiresAt = new Date(createdAt.getTime() + 86_400_000);
    await engine.db.approveRule.create({ data: { ...whose, ...bounds, createdAt, expiresAt } });
    await accept(alice);
    await accept(bob);
    await expect(client.getOwnProfile({})).rejects.toMatchObject({ code: "PROF001" });
    expect(await engine.db.approveRule.findUnique({ where: { id: whose.id } })).toMatchObject({
      endedAt: expect.any(Date),
    });
    const rules = await engine.db.policy.findMany({ where: { profileId: alice.profileId } });
    expect(new Map(rules.map((policy) => [policy.id, policy.enabled]))).toEqual(
      new Map([
        [grant.id, false],
        [rule.id, false],
      ]),
    );
    const events = await eventsOf(engine, alice.profileId);
    expect(events.find(({ verb }) => verb === "transferProfile")).toMatchObject({
      detail: {
        ownerId: bob.userId,
        revoked: { keys: [expect.stringMatching(/^key_/)], tokens: [id], policies: [rule.id] },
      },
    });
    await iris.client.getProfile({ did });
  });

  test("ends what the former owner's agents could read and propose, and keeps what is denied", async () => {
    const { alice, bob, did, accept } = await waiting();
    const { profileId } = alice;
    const iris = await mintAgent(engine);
    const permissions = ["read" as const, "propose" as const];
    await givePolicy(engine, profileId, { allow: ["prof:interests"], permissions });
    await givePolicy(engine, profileId, {
      ...{ agentPattern: iris.did, origin: "consent", allow: ["prof:health"] },
      ...{ purposes: ["personalization"], deny: ["prof:health.diagnoses"] },
    });
    const scopes = ["prof:health"];
    const asking = { did, scopes, purpose: { type: "personalization" } };
    const { data: receipt } = await iris.client.requestAccess(asking);
    await accept(alice);
    await accept(bob);
    for (const category of ["prof:interests", "prof:health"]) {
      await giveMemory(engine, profileId, { category, content: "canary" });
    }
    const { data } = await iris.client.getProfile({ did });
    expect(JSON.stringify(data)).not.toContain("canary");
    const proposal = { did, category: "prof:interests", content: "Likes tea." };
    await expect(iris.client.proposeMemory(proposal)).rejects.toMatchObject({ code: "PROF004" });
    await expect(iris.client.requestAccess(asking)).rejects.toMatchObject({ code: "PROF004" });
    const where = { id: receipt.receiptId };
    expect(await engine.db.receipt.findUnique({ where })).toMatchObject({ revokedAt: testNow });
    const left = await engine.db.policy.findMany({ where: { profileId, enabled: true } });
    expect(left).toMatchObject([{ allow: [], deny: ["prof:health.diagnoses"] }]);
    const events = await eventsOf(engine, profileId);
    expect(events.find(({ verb }) => verb === "transferProfile")).toMatchObject({
      detail: { revoked: { policies: [expect.any(String), expect.any(String)], receipts: 1 } },
    });
  });

  test("is void if the new account is suspended or full by then", async () => {
    for (const change of [
      (owner: Owner) => suspendUser(root.ctx, owner.userId),
      (owner: Owner) => fill(owner),
    ]) {
      const { alice, bob, accept, ownerId, isWaiting, verbs } = await waiting();
      await accept(bob);
      await change(bob);
      expect(await accept(alice)).toBe("void");
      expect([await ownerId(), await isWaiting()]).toEqual([alice.userId, false]);
      expect(await verbs()).toContain("voidTransfer by system");
    }
  });

  test("is over if an account is deleted", async () => {
    const { alice, bob, accept, ownerId, isWaiting, verbs } = await waiting();
    await accept(alice);
    await deleteUser(root.ctx, bob.userId);
    expect([await ownerId(), await isWaiting()]).toEqual([alice.userId, false]);
    expect(await verbs()).toContain("voidTransfer by system");
  });

  test("that fails does not keep those behind it from taking effect", async () => {
    const [first, second] = [await waiting(), await waiting()];
    await first.accept(first.bob);
    await second.accept(second.bob, 0.1);
    const holder = await engine.pool.connect();
    try {
      await holder.query("BEGIN");
      await holder.query(`SELECT FROM "Profile" WHERE id = $1 FOR UPDATE`, [first.alice.profileId]);
      expect(await runJob(7)).toBe(1);
    } finally {
      await holder.query("ROLLBACK");
      holder.release();
    }
    expect([await first.ownerId(), await second.ownerId()]).toEqual([
      first.alice.userId,
      second.bob.userId,
    ]);
    expect(await runJob(7)).toBe(1);
    expect(await first.ownerId()).toBe(first.bob.userId);
  });

  test("is over if the account of the admin who requested it is deleted", async () => {
    const [admin, alice, bob] = [
      await mintAdmin(engine),
      await mintOwner(engine),
      await mintOwner(engine),
    ];
    await transferProfile(admin.ctx, { did: alice.did, email: emailOf(bob) });
    await deleteAccount(admin.ctx);
    expect((await findProfile(root.ctx, alice.did)).transfer).toBeNull();
    expect((await eventsOf(engine, alice.profileId)).map(({ verb }) => verb)).toContain(
      "voidTransfer",
    );
  });

  test("waits for a refusal that is being committed, and does not happen then", async () => {
    const { alice, bob, accept, ownerId } = await waiting();
    await accept(bob);
    const remove = `DELETE FROM "Transfer" WHERE "profileId" = $1`;
    const outcome = await overtake(
      engine,
      (client) => client.query(remove, [alice.profileId]),
      () => accept(alice),
    );
    expect(outcome).toMatchObject({ status: "rejected", reason: unknown });
    expect(await ownerId()).toBe(alice.userId);
  });

  test("leaves no room for a second one: of two that fit one by one, one is void", async () => {
    const [one, other] = [await waiting(), await mintOwner(engine)];
    await fill(one.bob);
    await engine.db.profile.deleteMany({
      where: { did: `did:prof:user:local:full-${one.bob.profileId}-0` },
    });
    const { did } = other;
    await transferProfile(root.ctx, { did, email: emailOf(one.bob) });
    await one.accept(one.bob);
    await answer(signedIn(engine, one.bob), { did, accepts: true });
    const outcomes = await Promise.all([
      one.accept(one.alice),
      answer(signedIn(engine, other), { did, accepts: true }),
    ]);
    expect(outcomes.sort()).toEqual(["transferred", "void"]);
  });
});

describe("a request for a transfer", () => {
  test("is refused to an account younger than seven days", async () => {
    const [alice, bob] = [await mintOwner(engine), await mintOwner(engine)];
    const input = { did: alice.did, email: emailOf(bob) };
    const become = (days: number) =>
      engine.db.user.update({
        where: { id: bob.userId },
        data: { createdAt: new Date(testNow.getTime() - days * dayMs) },
      });
    await become(6.99);
    await expect(transferProfile(root.ctx, input)).rejects.toMatchObject(refused);
    await become(7);
    await transferProfile(root.ctx, input);
  });

  test("is refused to the admin, the present owner, a full, a suspended and an unknown account", async () => {
    const [alice, full, gone] = [
      await mintOwner(engine),
      await mintOwner(engine),
      await mintOwner(engine),
    ];
    await fill(full);
    await suspendUser(root.ctx, gone.userId);
    const { email: own } = await engine.db.user.update({
      where: { id: root.userId },
      data: { createdAt: new Date(0) },
    });
    for (const email of [
      ...[own, emailOf(alice), emailOf(full), emailOf(gone), "nobody@example.com"],
    ]) {
      const asking = transferProfile(root.ctx, { did: alice.did, email });
      await expect(asking).rejects.toMatchObject(refused);
    }
    expect(await engine.db.transfer.count({ where: { fromUserId: alice.userId } })).toBe(0);
  });

  test("is refused while another one waits", async () => {
    const { did } = await waiting();
    const email = emailOf(await mintOwner(engine));
    await expect(transferProfile(root.ctx, { did, email })).rejects.toMatchObject(refused);
    await withdrawTransfer(root.ctx, did);
    await transferProfile(root.ctx, { did, email });
    await expect(withdrawTransfer(root.ctx, (await mintOwner(engine)).did)).rejects.toMatchObject(
      unknown,
    );
  });

  test("ends with the role of the admin who made it", async () => {
    const { userId, ctx } = await mintAdmin(engine);
    const [alice, bob] = [await mintOwner(engine), await mintOwner(engine)];
    await transferProfile(ctx, { did: alice.did, email: emailOf(bob) });
    await changeRole(root.ctx, { userId, role: "user" });
    const bobs = contextOf(engine, await personOf(engine, bob));
    const accepting = answer(bobs, { did: alice.did, accepts: true });
    await expect(accepting).rejects.toMatchObject(unknown);
    const verbs = (await eventsOf(engine, alice.profileId)).map(({ verb }) => verb);
    expect(verbs.sort()).toEqual(["requestTransfer", "withdrawTransfer"]);
  });
});
