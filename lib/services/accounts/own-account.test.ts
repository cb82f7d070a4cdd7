import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { testEngine, testNow } from "@/tests/support/harness";
import { eventsOf, giveSession, mintOwner, type Owner, signedIn } from "@/tests/support/personas";
import { type Ctx, contextOf } from "../context";
import { deleteAccount } from "../erasure/delete-account";
import { arrive, linkIdentity, listIdentities, unlinkIdentity } from "./identities";
import { addProfile, profilesPerUserMax } from "./new-profile";
import {
  confirmedUntil,
  confirmSession,
  endOtherSessions,
  endOwnSession,
  listSessions,
} from "./own-sessions";
import { setPassword } from "./password";
import { createSecretToken } from "./secret-token";
import { findSession } from "./sessions";

const engine = await testEngine();
const nobody = contextOf(engine, { kind: "nobody" });
let owner: Owner;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
});

const ctx = () => signedIn(engine, owner);

const session = () => giveSession(engine, owner);

function ownEvents() {
  return engine.db.adminEvent.findMany({
    where: { adminId: owner.userId },
    orderBy: { at: "asc" },
  });
}

describe("another profile", () => {
  const input = () => ({ namespace: "local", handle: newId("work"), name: "At work" });

  test("is made under its own DID, with the template that was chosen", async () => {
    const did = await addProfile(ctx(), { ...input(), template: "private" });
    const made = await engine.db.profile.findUniqueOrThrow({
      where: { did },
      include: { policies: true },
    });
    expect(made).toMatchObject({ ownerId: owner.userId, policies: [] });
    expect(made.common).toMatchObject({ identity: { displayName: "At work" } });
    expect(await eventsOf(engine, made.id)).toMatchObject([{ verb: "createProfile" }]);
  });

  test("is refused under a DID that somebody has", async () => {
    const one = input();
    await addProfile(ctx(), one);
    const other = signedIn(engine, await mintOwner(engine));
    await expect(addProfile(other, one)).rejects.toMatchObject({ code: "PROF006" });
  });

  test("is one of at most twenty, also when the last is raced for", async () => {
    for (let count = 1; count < profilesPerUserMax - 1; count++) await addProfile(ctx(), input());
    const settled = await Promise.allSettled([0, 1, 2].map(() => addProfile(ctx(), input())));
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("is nothing that a stranger makes", async () => {
    await expect(addProfile(nobody, input())).rejects.toMatchObject({ code: "PROF002" });
  });
});

/** Another browser of theirs, and what the verbs are given in it. */
async function elsewhere() {
  const { id: sessionId, token } = await session();
  return { id: sessionId, token, ctx: signedIn(engine, { ...owner, sessionId }) };
}

/** The session was confirmed ten minutes ago, or will be when those are over. */
function confirmedAt(sessionId: string, at: Date) {
  return engine.db.session.update({ where: { id: sessionId }, data: { confirmedAt: at } });
}

describe("a new password", () => {
  const set = (by = ctx()) => setPassword(by, { from: null, to: "hash" });

  test("ends every other session, renews the value of its own, and leaves an event", async () => {
    const [here, there] = [await elsewhere(), await elsewhere()];
    const { ended, session: renewed } = await set(here.ctx);
    // The browser that the owner was minted with is gone, too.
    expect(ended).toBe(2);
    expect(await findSession(nobody, there.token)).toBeNull();
    expect(await findSession(nobody, here.token)).toBeNull();
    const after = await findSession(nobody, renewed.token);
    // What a copy of the cookie began goes by the id: it ends, too.
    expect(after?.sessionId).not.toBe(here.id);
    await expect(set(here.ctx)).rejects.toMatchObject({ code: "PROF001" });
    expect(await ownEvents()).toMatchObject([{ verb: "setPassword", subjectId: owner.userId }]);
  });

  test("ends the open reset links of that person, and of nobody else", async () => {
    const other = await mintOwner(engine);
    for (const { userId } of [owner, other]) {
      const { email } = await engine.db.user.findUniqueOrThrow({ where: { id: userId } });
      const expiresAt = new Date(testNow.getTime() + 60_000);
      const link = {
        tokenHash: createSecretToken().tokenHash,
        email,
        createdBy: userId,
        expiresAt,
      };
      await engine.db.oneTimeLink.create({
        data: { createdAt: testNow, ...link, purpose: "password_reset" },
      });
    }
    await set();
    const left = await engine.db.oneTimeLink.findMany({
      where: { createdBy: { in: [owner.userId, other.userId] } },
    });
    expect(left.map(({ createdBy }) => createdBy)).toEqual([other.userId]);
  });

  test("unlinks every sign-in elsewhere, and names them; a first one keeps them", async () => {
    for (const provider of ["google", "github"]) {
      await linkIdentity(ctx(), { provider, providerAccountId: newId("x") });
    }
    const first = await set();
    expect(first.unlinked).toEqual([]);
    expect((await listIdentities(ctx())).sort()).toEqual(["github", "google"]);
    const { sessionId = "" } = (await findSession(nobody, first.session.token)) ?? {};
    const by = signedIn(engine, { ...owner, sessionId });
    const { unlinked } = await setPassword(by, { from: "hash", to: "another" });
    expect(unlinked).toEqual(["github", "google"]);
    expect(await listIdentities(by)).toEqual([]);
    expect((await ownEvents()).find(({ verb }) => verb === "changePassword")).toMatchObject({
      after: { unlinked },
    });
  });

  test("replaces only the one that was checked: of two at once, one does", async () => {
    const settled = await Promise.allSettled([ctx(), ctx()].map(set));
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("is nothing that a stranger sets", async () => {
    await expect(set(nobody)).rejects.toMatchObject({ code: "PROF002" });
  });
});

describe("lasting changes", () => {
  const identity = () => ({ provider: "github", providerAccountId: newId("gh") });
  const lasting: [string, (by: Ctx) => Promise<unknown>][] = [
    ["a new password", (by) => setPassword(by, { from: null, to: "hash" })],
    ["linking a provider", (by) => linkIdentity(by, identity())],
    ["unlinking a provider", (by) => unlinkIdentity(by, { provider: "google" })],
    ["deleting the account", (by) => deleteAccount(by)],
  ];

  test.each(lasting)(
    "%s needs a session that was confirmed in the last ten minutes",
    async (_what, work) => {
      const { userId } = owner;
      // Two, as the only way in cannot be unlinked.
      const linked = ["google", "other"].map((provider) => ({
        ...identity(),
        provider,
        userId,
        createdAt: testNow,
      }));
      await engine.db.account.createMany({ data: linked });
      const tenMinutesAgo = new Date(testNow.getTime() - 10 * 60_000);
      await confirmedAt(owner.sessionId, tenMinutesAgo);
      const refused = { code: "PROF002", details: { confirm: true } };
      await expect(work(ctx())).rejects.toMatchObject(refused);
      expect(await ownEvents()).toEqual([]);
      await confirmedAt(owner.sessionId, new Date(tenMinutesAgo.getTime() + 1));
      await work(ctx());
      expect(await ownEvents()).toHaveLength(1);
    },
  );

  const others: [string, (by: Ctx) => Promise<unknown>][] = [
    [
      "another profile",
      (by) => addProfile(by, { namespace: "local", handle: newId("x"), name: "X" }),
    ],
    ["ending a session", (by) => endOwnSession(by, { id: "ses_x" })],
    ["ending the other sessions", (by) => endOtherSessions(by)],
  ];

  test.each([...lasting, ...others])(
    "%s is refused once its session has ended",
    async (_what, work) => {
      const by = ctx();
      await engine.db.session.delete({ where: { id: owner.sessionId } });
      await expect(work(by)).rejects.toMatchObject({ code: "PROF001" });
      expect(await ownEvents()).toEqual([]);
    },
  );

  test("is confirmed by the password that was checked, for this session alone, which is renewed", async () => {
    const [here, there] = [await elsewhere(), await elsewhere()];
    for (const { id } of [here, there]) await confirmedAt(id, new Date(0));
    await engine.db.user.update({
      where: { id: owner.userId },
      data: { passwordHash: "checked" },
    });
    expect(await confirmedUntil(here.ctx)).toBeNull();
    expect(await confirmSession(here.ctx, { passwordHash: "an earlier one" })).toBeNull();
    const until = new Date(testNow.getTime() + 10 * 60_000);
    const confirmed = await confirmSession(here.ctx, { passwordHash: "checked" });
    expect(confirmed).toMatchObject({ confirmedUntil: until });
    const renewed = await findSession(nobody, confirmed?.token ?? "");
    expect(renewed?.sessionId).toBe(confirmed?.sessionId);
    const { sessionId = "" } = confirmed ?? {};
    const by = () => signedIn(engine, { ...owner, sessionId });
    expect(await confirmedUntil(by())).toEqual(until);
    expect(await confirmedUntil(there.ctx)).toBeNull();
    // Neither a copy of the cookie nor what it began is confirmed with it.
    expect(await findSession(nobody, here.token)).toBeNull();
    await expect(endOtherSessions(here.ctx)).rejects.toMatchObject({ code: "PROF001" });
    engine.setNow(until);
    expect(await confirmedUntil(by())).toBeNull();
  });
});

describe("sessions", () => {
  test("are listed, and one is ended at once", async () => {
    const there = await elsewhere();
    expect((await listSessions(ctx())).map(({ id }) => id).sort()).toEqual(
      [owner.sessionId, there.id].sort(),
    );
    await endOwnSession(ctx(), there);
    expect(await findSession(nobody, there.token)).toBeNull();
    expect(await ownEvents()).toMatchObject([{ verb: "endSession", subjectId: there.id }]);
    await expect(endOwnSession(ctx(), there)).rejects.toMatchObject({ code: "PROF003" });
  });

  test("are ended but for this one", async () => {
    const [here, there] = [await elsewhere(), await elsewhere()];
    expect(await endOtherSessions(here.ctx)).toBe(2);
    expect(await findSession(nobody, here.token)).not.toBeNull();
    expect(await findSession(nobody, there.token)).toBeNull();
    expect(await ownEvents()).toMatchObject([{ verb: "endOtherSessions", after: { ended: 2 } }]);
  });

  test("take with them the links that were made in them", async () => {
    const here = await elsewhere();
    const expiresAt = new Date(testNow.getTime() + 60_000);
    await engine.db.oneTimeLink.create({
      data: {
        createdAt: testNow,
        ...{
          tokenHash: randomBytes(32),
          purpose: "invitation",
          email: "carol@example.com",
          expiresAt,
        },
        createdBy: owner.userId,
      },
    });
    await endOtherSessions(here.ctx);
    expect(await engine.db.oneTimeLink.count({ where: { createdBy: owner.userId } })).toBe(0);
  });

  test("of somebody else are not there", async () => {
    const { id, token } = await session();
    const other = signedIn(engine, await mintOwner(engine));
    await expect(endOwnSession(other, { id })).rejects.toMatchObject({ code: "PROF003" });
    expect((await listSessions(other)).map((one) => one.id)).not.toContain(id);
    expect(await findSession(nobody, token)).not.toBeNull();
    await expect(listSessions(nobody)).rejects.toMatchObject({ code: "PROF002" });
  });
});

describe("a sign-in elsewhere", () => {
  const identity = () => ({ provider: "github", providerAccountId: newId("gh") });
  const stranger = () => {
    const handle = newId("octo");
    const email = `${handle}@example.com`.toLowerCase();
    return { ...identity(), email, name: "Octo", handle, namespace: "local", open: true };
  };

  test("of a newcomer makes an account once, and finds it ever after", async () => {
    const one = stranger();
    const first = await arrive(nobody, one);
    expect(first).toMatchObject({ outcome: "new" });
    expect(await arrive(nobody, { ...one, open: false })).toMatchObject({ outcome: "known" });
    const user = await engine.db.user.findUniqueOrThrow({
      where: { email: one.email },
      include: { profiles: true },
    });
    expect(user.passwordHash).toBeNull();
    expect(user.profiles).toMatchObject([{ did: `did:prof:user:local:${one.handle}` }]);
  });

  test("gets another handle where its own is taken", async () => {
    const [one, two] = [stranger(), stranger()];
    await arrive(nobody, one);
    const second = await arrive(nobody, { ...two, handle: one.handle });
    expect(second).toMatchObject({ outcome: "new" });
    const user = await engine.db.user.findUniqueOrThrow({
      where: { email: two.email },
      include: { profiles: true },
    });
    expect(user.profiles[0]?.did).toMatch(new RegExp(`:${one.handle}-[0-9A-Za-z]{4}$`));
  });

  test("never enters an account that has the same e-mail address", async () => {
    const { email } = await engine.db.user.findUniqueOrThrow({ where: { id: owner.userId } });
    expect(await arrive(nobody, { ...stranger(), email })).toEqual({ outcome: "e-mail in use" });
    expect(await listIdentities(ctx())).toEqual([]);
  });

  test("is refused where signing up is closed, without an address, or for who is suspended", async () => {
    expect(await arrive(nobody, { ...stranger(), open: false })).toEqual({ outcome: "closed" });
    expect(await arrive(nobody, { ...stranger(), email: null })).toEqual({ outcome: "no e-mail" });
    const one = stranger();
    await arrive(nobody, one);
    await engine.db.user.update({ where: { email: one.email }, data: { state: "suspended" } });
    expect(await arrive(nobody, one)).toEqual({ outcome: "suspended" });
  });

  test("is linked to the account of who is signed in, and to no second one", async () => {
    const one = identity();
    expect(await linkIdentity(ctx(), one)).toBe("linked");
    expect(await linkIdentity(ctx(), one)).toBe("linked");
    const other = signedIn(engine, await mintOwner(engine));
    expect(await linkIdentity(other, one)).toBe("elsewhere");
    expect(await arrive(nobody, { ...stranger(), ...one })).toEqual({
      outcome: "known",
      userId: owner.userId,
    });
    expect(await ownEvents()).toMatchObject([
      { verb: "linkSignIn", after: { provider: "github" } },
    ]);
    await expect(linkIdentity(nobody, one)).rejects.toMatchObject({ code: "PROF002" });
  });

  test("is the only one of its provider, also of two that are linked at once", async () => {
    const [one, two] = [identity(), identity()];
    const outcomes = await Promise.all([one, two].map((each) => linkIdentity(ctx(), each)));
    expect(outcomes.sort()).toEqual(["another", "linked"]);
    expect(await listIdentities(ctx())).toEqual(["github"]);
    expect(await linkIdentity(ctx(), { ...identity(), provider: "google" })).toBe("linked");
  });

  test("is unlinked unless it is the only way in, also by two at once", async () => {
    await linkIdentity(ctx(), identity());
    await expect(unlinkIdentity(ctx(), { provider: "github" })).rejects.toMatchObject({
      code: "PROF006",
    });
    await linkIdentity(ctx(), { ...identity(), provider: "google" });
    const settled = await Promise.allSettled(
      ["github", "google"].map((provider) => unlinkIdentity(ctx(), { provider })),
    );
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await listIdentities(ctx())).toHaveLength(1);
    expect((await ownEvents()).map(({ verb }) => verb)).toContain("unlinkSignIn");
  });
});
