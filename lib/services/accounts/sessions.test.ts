import { describe, expect, test } from "vitest";
import { checkPassword } from "@/lib/auth/credentials";
import { hashPassword } from "@/lib/auth/password";
import { openDb, openPool } from "@/lib/engine/db";
import { newId } from "@/lib/engine/random";
import type { Caller } from "@/lib/rules/may";
import { collide } from "@/tests/support/collide";
import { testEngine, testNow } from "@/tests/support/harness";
import { mintAdmin, mintOwner, personOf } from "@/tests/support/personas";
import { inTransaction } from "@/tests/support/transaction";
import { issueResetLink } from "../admin/users/links";
import type { Ctx } from "../context";
import { linkIdentity, unlinkIdentity } from "./identities";
import { addProfile } from "./new-profile";
import { endOwnSession, listSessions } from "./own-sessions";
import { setPassword } from "./password";
import { resetPassword } from "./reset-password";
import { idleDays, sessionDays, sessionsMax, sweepSessions } from "./session-life";
import {
  callerOf,
  endSession,
  findSession,
  isSessionLive,
  issueSession,
  type Recognised,
} from "./sessions";

const engine = await testEngine();
const { db, pool, live, shares, cache } = engine;
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
    cache,
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
      createdAt: testNow,
      profiles: {
        create: { did: `did:prof:user:local:${id}`, createdAt: testNow, updatedAt: testNow },
      },
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
  test("whose account is deleted while it is looked for is nobody's", async () => {
    const userId = await owner();
    const { token } = await issue(userId);
    // On one connection, statements go in the order in which they are sent: the second of the look comes last.
    const url = engine.env.DATABASE_URL ?? "";
    const one = openPool({ url, poolMax: 1, onIdleError: () => undefined });
    const looking = findSession({ ...ctx(), pool: one, db: openDb(one) }, token);
    const sent = () => one.totalCount > 0;
    await expect.poll(sent, { interval: 0 }).toBe(true);
    await one.query(`DELETE FROM "User" WHERE id = $1`, [userId]);
    expect(await looking).toBeNull();
    await one.end();
  });

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

  test("is found, and another begins, while a change of the same person is under way", async () => {
    const userId = await owner();
    const { token } = await issue(userId);
    await inTransaction(pool, async (client) => {
      await client.query(`SELECT FROM "User" WHERE id = $1 FOR SHARE`, [userId]);
      await client.query(`SELECT FROM "Session" WHERE "userId" = $1 FOR SHARE`, [userId]);
      expect(await findSession(ctx({ laterMs: 61_000 }), token)).toMatchObject({ userId });
      await issue(userId);
    });
    expect(await db.session.count({ where: { userId } })).toBe(2);
  });

  /** Looks, and so uses the session, at every so many days. */
  async function lastsUntil(token: string, everyDays: number): Promise<number> {
    let day = 0;
    while ((await findSession(ctx({ laterMs: (day + everyDays) * days }), token)) !== null) {
      day += everyDays;
    }
    return day;
  }

  test("ends thirty days after the sign-in, however much it is used", async () => {
    const { token, expiresAt } = await issue(await owner());
    expect(expiresAt.getTime()).toBe(testNow.getTime() + sessionDays * days);
    expect(await lastsUntil(token, 1)).toBe(sessionDays - 1);
  });

  test("ends fourteen days after its last use", async () => {
    const { token } = await issue(await owner());
    expect(await findSession(ctx({ laterMs: 3 * days }), token)).not.toBeNull();
    const last = 3 * days + idleDays * days;
    const seen = await findSession(ctx({ laterMs: 3 * days }), token);
    if (seen === null) throw new Error("the session is live");
    const profileId = seen.profiles[0]?.id ?? 0;
    const caller = callerOf(seen);
    const looks = async (laterMs: number) => ({
      live: await isSessionLive(ctx({ laterMs }), { ...seen, profileId }),
      listed: (await listSessions(ctx({ caller, laterMs }))).length,
    });
    expect(await looks(last - 1)).toEqual({ live: true, listed: 1 });
    expect(await looks(last)).toEqual({ live: false, listed: 0 });
    const late = ctx({ caller, laterMs: last });
    const profile = { namespace: "local", handle: newId("late"), name: "Late" };
    await expect(addProfile(late, profile)).rejects.toMatchObject({ code: "PROF001" });
    const own = endOwnSession(late, { id: seen.sessionId });
    await expect(own).rejects.toMatchObject({ code: "PROF001" });
    expect(await findSession(late, token)).toBeNull();
  });

  test("follows the role and the state that the user has now", async () => {
    const userId = await owner();
    const { token } = await issue(userId);
    await db.user.update({ where: { id: userId }, data: { role: "admin" } });
    expect(await findSession(ctx(), token)).toMatchObject({ role: "admin" });
    await db.user.update({ where: { id: userId }, data: { state: "suspended" } });
    expect(await findSession(ctx(), token)).toBeNull();
  });

  test("follows a profile only while the profile is theirs and not suspended", async () => {
    const userId = await owner();
    const { token } = await issue(userId);
    const seen = await findSession(ctx(), token);
    if (seen === null) throw new Error("the session is live");
    const profileId = seen.profiles[0]?.id ?? 0;
    const follows = () => isSessionLive(ctx(), { ...seen, profileId });
    const put = (state: "active" | "suspended") =>
      db.profile.update({ where: { id: profileId }, data: { state } });
    expect(await follows()).toBe(true);
    await put("suspended");
    expect(await follows()).toBe(false);
    await put("active");
    expect(await follows()).toBe(true);
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

describe("the job that sweeps sessions", () => {
  const sweep = async (laterMs: number) => {
    const now = new Date(testNow.getTime() + laterMs);
    while ((await sweepSessions(db, now)) > 0);
  };
  const left = (userId: string) => db.session.count({ where: { userId } });

  test("deletes those that were idle for fourteen days, and no other", async () => {
    const userId = await owner();
    const { token } = await issue(userId);
    await issue(userId);
    await findSession(ctx({ laterMs: days }), token);
    await sweep(idleDays * days - 1);
    expect(await left(userId)).toBe(2);
    await sweep(idleDays * days);
    expect(await left(userId)).toBe(1);
  });

  test("deletes those that have expired, however much they were used", async () => {
    const userId = await owner();
    await issue(userId);
    const lastSeenAt = new Date(testNow.getTime() + sessionDays * days);
    await db.session.updateMany({ where: { userId }, data: { lastSeenAt } });
    await sweep(sessionDays * days - 1);
    expect(await left(userId)).toBe(1);
    await sweep(sessionDays * days);
    expect(await left(userId)).toBe(0);
  });
});

test("a sign-in keeps a hundred sessions of its person, and ends those used longest ago", async () => {
  const userId = await owner();
  const { token: used } = await issue(userId);
  for (let nth = 1; nth < sessionsMax; nth++) await issue(userId);
  const stranger = await owner();
  const { token: other } = await issue(stranger);
  await findSession(ctx({ laterMs: 2 * 60_000 }), used);
  const later = ctx({ laterMs: 60_000 });
  const by = { passwordHash };
  const last = await issueSession(later, { userId, by, userAgent: null });
  expect(await db.session.count({ where: { userId } })).toBe(sessionsMax);
  for (const token of [used, last?.token ?? "", other]) {
    expect(await findSession(later, token)).not.toBeNull();
  }
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
    await setPassword(await own(userId), { from, to: "new" });
    expect(await begun(userId, checked.by)).toBeNull();
    expect(await sessions(userId)).toBe(1);
    expect(await begun(userId, { passwordHash: "new" })).not.toBeNull();
  });

  test("leaves no session where it meets the change itself", async () => {
    const userId = await owner();
    const person = await own(userId);
    const settled = await collide<unknown>(engine, "Session", [
      () => setPassword(person, { from: passwordHash, to: "new" }),
      () => begun(userId, { passwordHash }),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    expect(await sessions(userId)).toBe(1);
  });

  test("with the old password waits for a reset that is under way, and ends outside", async () => {
    const { userId, profileId } = await mintOwner(engine);
    await db.user.update({ where: { id: userId }, data: { passwordHash } });
    const { token } = await issueResetLink((await mintAdmin(engine)).ctx, userId);
    const waiting = async () => {
      const { rowCount } = await pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rowCount;
    };
    const { reset, signedIn } = await inTransaction(pool, async (holder) => {
      await holder.query(`SELECT FROM "Profile" WHERE id = $1 FOR UPDATE`, [profileId]);
      const waits = resetPassword(ctx(), { token, passwordHash: "new", keep: null });
      await expect.poll(waiting, { interval: 5 }).toBe(1);
      const meets = begun(userId, { passwordHash });
      await expect.poll(waiting, { interval: 5 }).toBe(2);
      return { reset: waits, signedIn: meets };
    });
    await reset;
    expect(await signedIn).toBeNull();
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
    expect(await sessions(userId)).toBe(3);
  });
});
