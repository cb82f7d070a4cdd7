import { describe, expect, test } from "vitest";
import { checkPassword } from "@/lib/auth/credentials";
import { hashPassword } from "@/lib/auth/password";
import { newId } from "@/lib/engine/random";
import type { Caller } from "@/lib/rules/may";
import { collide } from "@/lib/testing/collide";
import { testEngine, testNow } from "@/lib/testing/harness";
import { personOf } from "@/lib/testing/personas";
import type { Ctx } from "../context";
import { linkIdentity, unlinkIdentity } from "./identities";
import { setPassword } from "./password";
import {
  endSession,
  endSessionsOf,
  findSession,
  issueSession,
  type Recognised,
  sessionDays,
} from "./sessions";

const engine = await testEngine();
const { db, pool, live, shares } = engine;
const passwordHash = "$argon2id$checked";
const days = 24 * 60 * 60_000;

function ctx({
  caller = { kind: "nobody" },
  laterMs = 0,
}: {
  caller?: Caller;
  laterMs?: number;
} = {}): Ctx {
  const now = new Date(testNow.getTime() + laterMs);
  return {
    db,
    pool,
    caller,
    now,
    requestId: "req_test",
    shares,
    replica: null,
    announce: live.announce,
  };
}

async function owner() {
  const id = newId("usr");
  await db.user.create({
    data: {
      id,
      passwordHash,
      email: `${id.toLowerCase()}@example.com`,
      profiles: { create: { did: `did:prof:user:local:${id}` } },
    },
  });
  return id;
}

async function issue(userId: string) {
  const userAgent = "Test".repeat(100);
  const issued = await issueSession(ctx(), { userId, by: { passwordHash }, userAgent });
  if (issued === null) throw new Error("no session");
  return issued;
}

describe("a session", () => {
  test("names its user and their profiles, and is stored only as a hash", async () => {
    const userId = await owner();
    const { token } = await issue(userId);
    expect(await findSession(ctx(), token)).toMatchObject({
      userId,
      role: "user",
      profiles: [{ did: `did:prof:user:local:${userId}` }],
    });
    const row = await db.session.findFirstOrThrow({ where: { userId } });
    expect(JSON.stringify(row)).not.toContain(token);
    expect(row.userAgent).toHaveLength(255);
  });

  test("is nobody's under another value", async () => {
    expect(await findSession(ctx(), "")).toBeNull();
    expect(await findSession(ctx(), "x".repeat(10_000))).toBeNull();
  });

  test("ends on its day", async () => {
    const { token, expiresAt } = await issue(await owner());
    expect(expiresAt.getTime()).toBe(testNow.getTime() + sessionDays * days);
    expect(await findSession(ctx({ laterMs: sessionDays * days - 1 }), token)).not.toBeNull();
    expect(await findSession(ctx({ laterMs: sessionDays * days }), token)).toBeNull();
  });

  test("follows the role and the state that the user has now", async () => {
    const userId = await owner();
    const { token } = await issue(userId);
    await db.user.update({ where: { id: userId }, data: { role: "admin" } });
    expect(await findSession(ctx(), token)).toMatchObject({ role: "admin" });
    await db.user.update({ where: { id: userId }, data: { state: "suspended" } });
    expect(await findSession(ctx(), token)).toBeNull();
  });

  test("remembers when it was last used, to the minute", async () => {
    const userId = await owner();
    const { token } = await issue(userId);
    await findSession(ctx({ laterMs: 59_000 }), token);
    const seen = () => db.session.findFirstOrThrow({ where: { userId } });
    expect((await seen()).lastSeenAt).toEqual(testNow);
    await findSession(ctx({ laterMs: 61_000 }), token);
    expect((await seen()).lastSeenAt.getTime()).toBe(testNow.getTime() + 61_000);
  });

  test("is over once it is ended, and ending it again is no error", async () => {
    const { token } = await issue(await owner());
    await endSession(ctx(), token);
    await endSession(ctx(), token);
    expect(await findSession(ctx(), token)).toBeNull();
  });
});

describe("a sign-in that is under way", () => {
  const own = async (userId: string) => ctx({ caller: await personOf(engine, { userId }) });
  const begun = (userId: string, by: Recognised) =>
    issueSession(ctx(), { userId, by, userAgent: null });
  const sessions = (userId: string) => db.session.count({ where: { userId } });

  test("with a password that was changed after it was checked ends outside", async () => {
    const userId = await owner();
    const { email } = await db.user.findUniqueOrThrow({ where: { id: userId } });
    const password = "a quiet lamp over the harbour";
    const from = await hashPassword(password);
    await db.user.update({ where: { id: userId }, data: { passwordHash: from } });
    const checked = await checkPassword(ctx(), { email, password, peer: null });
    if (checked.outcome !== "right") throw new Error("the password is right");
    await setPassword(await own(userId), { from, to: "new", keepId: "ses_none" });
    expect(await begun(userId, checked.by)).toBeNull();
    expect(await sessions(userId)).toBe(0);
    expect(await begun(userId, { passwordHash: "new" })).not.toBeNull();
  });

  test("leaves no session where it meets the change itself", async () => {
    const userId = await owner();
    const person = await own(userId);
    const settled = await collide<unknown>(engine, "Session", [
      () => setPassword(person, { from: passwordHash, to: "new", keepId: "ses_none" }),
      () => begun(userId, { passwordHash }),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    expect(await sessions(userId)).toBe(0);
  });

  test("ends outside for who is suspended, and for who has no password any more", async () => {
    const userId = await owner();
    await db.user.update({ where: { id: userId }, data: { state: "suspended" } });
    expect(await begun(userId, { passwordHash })).toBeNull();
    await db.user.update({ where: { id: userId }, data: { state: "active", passwordHash: null } });
    expect(await begun(userId, { passwordHash })).toBeNull();
    expect(await begun("usr_nobody", { passwordHash })).toBeNull();
    expect(await sessions(userId)).toBe(0);
  });

  test("elsewhere ends outside once that is unlinked, and enters no other account", async () => {
    const [userId, other] = [await owner(), await owner()];
    const linked = { provider: "github", providerAccountId: newId("gh") };
    await linkIdentity(await own(userId), linked);
    expect(await begun(userId, linked)).not.toBeNull();
    expect(await begun(other, linked)).toBeNull();
    await unlinkIdentity(await own(userId), linked);
    expect(await begun(userId, linked)).toBeNull();
    expect(await sessions(userId)).toBe(1);
  });
});

describe("all sessions of a user", () => {
  test("are ended by that user, but for the one that is kept", async () => {
    const userId = await owner();
    const caller: Caller = { kind: "person", userId, role: "user", sessionId: null };
    const [kept, other] = [await issue(userId), await issue(userId)];
    const keepId = (await findSession(ctx(), kept.token))?.sessionId;
    expect(await endSessionsOf(ctx({ caller }), { userId, keepId })).toBe(1);
    expect(await findSession(ctx(), kept.token)).not.toBeNull();
    expect(await findSession(ctx(), other.token)).toBeNull();
    expect(await endSessionsOf(ctx({ caller }), { userId })).toBe(1);
  });

  test("are ended by an admin, and by nobody else", async () => {
    const userId = await owner();
    await issue(userId);
    const stranger = await personOf(engine, { userId: await owner() });
    const admin = { ...stranger, role: "admin" as const };
    for (const caller of [stranger, { kind: "nobody" } as const]) {
      const refused = endSessionsOf(ctx({ caller }), { userId });
      await expect(refused).rejects.toMatchObject({ code: "PROF002" });
    }
    expect(await endSessionsOf(ctx({ caller: admin }), { userId })).toBe(1);
  });
});
