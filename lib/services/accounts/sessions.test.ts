import { describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import type { Caller } from "@/lib/rules/may";
import { testEngine, testNow } from "@/lib/testing/harness";
import type { Ctx } from "../context";
import { endSession, endSessionsOf, findSession, issueSession, sessionDays } from "./sessions";

const { db, pool, live } = await testEngine();
const days = 24 * 60 * 60_000;

function ctx({
  caller = { kind: "nobody" },
  laterMs = 0,
}: {
  caller?: Caller;
  laterMs?: number;
} = {}): Ctx {
  const now = new Date(testNow.getTime() + laterMs);
  return { db, pool, caller, now, requestId: "req_test", announce: live.announce };
}

async function owner() {
  const id = newId("usr");
  await db.user.create({
    data: {
      id,
      email: `${id.toLowerCase()}@example.com`,
      profiles: { create: { did: `did:prof:user:local:${id}` } },
    },
  });
  return id;
}

function issue(userId: string) {
  return issueSession(ctx(), { userId, userAgent: "Test".repeat(100) });
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

describe("all sessions of a user", () => {
  test("are ended by that user, but for the one that is kept", async () => {
    const userId = await owner();
    const caller: Caller = { kind: "person", userId, role: "user" };
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
    const stranger: Caller = { kind: "person", userId: await owner(), role: "user" };
    const admin: Caller = { ...stranger, role: "admin" };
    for (const caller of [stranger, { kind: "nobody" } as const]) {
      const refused = endSessionsOf(ctx({ caller }), { userId });
      await expect(refused).rejects.toMatchObject({ code: "PROF002" });
    }
    expect(await endSessionsOf(ctx({ caller: admin }), { userId })).toBe(1);
  });
});
