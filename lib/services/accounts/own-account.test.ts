import { beforeEach, describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { testEngine, testNow } from "@/lib/testing/harness";
import { eventsOf, giveSession, mintOwner, type Owner, signedIn } from "@/lib/testing/personas";
import { contextOf } from "../context";
import { arrive, linkIdentity, listIdentities, unlinkIdentity } from "./identities";
import { addProfile, profilesPerUserMax } from "./new-profile";
import { endOtherSessions, endOwnSession, isFresh, listSessions } from "./own-sessions";
import { setPassword } from "./password";
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

function told() {
  return engine.db.adminEvent.findMany({
    where: { adminId: owner.userId },
    orderBy: { at: "asc" },
  });
}

describe("another profile", () => {
  const asked = () => ({ namespace: "local", handle: newId("work"), name: "At work" });

  test("is made under its own DID, with the template that was chosen", async () => {
    const did = await addProfile(ctx(), { ...asked(), template: "private" });
    const made = await engine.db.profile.findUniqueOrThrow({
      where: { did },
      include: { policies: true },
    });
    expect(made).toMatchObject({ ownerId: owner.userId, policies: [] });
    expect(made.common).toMatchObject({ identity: { displayName: "At work" } });
    expect(await eventsOf(engine, made.id)).toMatchObject([{ verb: "createProfile" }]);
  });

  test("is refused under a DID that somebody has", async () => {
    const one = asked();
    await addProfile(ctx(), one);
    const other = signedIn(engine, await mintOwner(engine));
    await expect(addProfile(other, one)).rejects.toMatchObject({ code: "PROF006" });
  });

  test("is one of at most twenty, also when the last is raced for", async () => {
    for (let count = 1; count < profilesPerUserMax - 1; count++) await addProfile(ctx(), asked());
    const settled = await Promise.allSettled([0, 1, 2].map(() => addProfile(ctx(), asked())));
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("is nothing that a stranger makes", async () => {
    await expect(addProfile(nobody, asked())).rejects.toMatchObject({ code: "PROF002" });
  });
});

describe("a new password", () => {
  test("ends every session but the one it was set in, and leaves an event", async () => {
    const [here, elsewhere] = [await session(), await session()];
    expect(await setPassword(ctx(), { from: null, to: "hash", keepId: here.id })).toBe(1);
    expect(await findSession(nobody, here.token)).not.toBeNull();
    expect(await findSession(nobody, elsewhere.token)).toBeNull();
    expect(await told()).toMatchObject([{ verb: "setPassword", subjectId: owner.userId }]);
  });

  test("replaces only the one that was checked: of two at once, one does", async () => {
    const { id: keepId } = await session();
    const settled = await Promise.allSettled(
      ["one", "two"].map((to) => setPassword(ctx(), { from: null, to, keepId })),
    );
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("is nothing that a stranger sets", async () => {
    const setting = setPassword(nobody, { from: null, to: "x", keepId: "" });
    await expect(setting).rejects.toMatchObject({ code: "PROF002" });
  });
});

describe("sessions", () => {
  test("are listed, and one is ended at once", async () => {
    const [here, elsewhere] = [await session(), await session()];
    expect((await listSessions(ctx())).map(({ id }) => id).sort()).toEqual(
      [here.id, elsewhere.id].sort(),
    );
    await endOwnSession(ctx(), elsewhere);
    expect(await findSession(nobody, elsewhere.token)).toBeNull();
    expect(await told()).toMatchObject([{ verb: "endSession", subjectId: elsewhere.id }]);
    await expect(endOwnSession(ctx(), elsewhere)).rejects.toMatchObject({ code: "PROF003" });
  });

  test("are ended but for this one", async () => {
    const [here, elsewhere] = [await session(), await session()];
    expect(await endOtherSessions(ctx(), { keepId: here.id })).toBe(1);
    expect(await findSession(nobody, here.token)).not.toBeNull();
    expect(await findSession(nobody, elsewhere.token)).toBeNull();
    expect(await told()).toMatchObject([{ verb: "endOtherSessions", after: { ended: 1 } }]);
  });

  test("of somebody else are not there", async () => {
    const { id, token } = await session();
    const other = signedIn(engine, await mintOwner(engine));
    await expect(endOwnSession(other, { id })).rejects.toMatchObject({ code: "PROF003" });
    expect(await listSessions(other)).toEqual([]);
    expect(await findSession(nobody, token)).not.toBeNull();
    await expect(listSessions(nobody)).rejects.toMatchObject({ code: "PROF002" });
  });

  test("are fresh for ten minutes", async () => {
    const { id: sessionId } = await session();
    expect(await isFresh(ctx(), { sessionId })).toBe(true);
    engine.setNow(new Date(testNow.getTime() + 10 * 60_000));
    expect(await isFresh(ctx(), { sessionId })).toBe(false);
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
    expect(await told()).toMatchObject([{ verb: "linkSignIn", after: { provider: "github" } }]);
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
    expect((await told()).map(({ verb }) => verb)).toContain("unlinkSignIn");
  });
});
