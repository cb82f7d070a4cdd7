import { Pool, type PoolClient, type QueryConfig } from "pg";
import { describe, expect, test } from "vitest";
import { createEngine } from "@/lib/engine/engine";
import { createSettings } from "@/lib/engine/settings";
import { overtake } from "@/tests/support/collide";
import { testEngine, testNow } from "@/tests/support/harness";
import { mintAdmin, mintOwner, signedIn } from "@/tests/support/personas";
import { adminsLock } from "../accounts/admins";
import { exportAdminEvents } from "./export-admin-events";
import { listAdminEvents } from "./list-admin-events";
import { changeSetting, listSettings, revertSetting } from "./settings";
import { describeSystem } from "./system/describe-system";

const engine = await testEngine({ LIMIT_PROFILE: "7" });
const { ctx } = await mintAdmin(engine);

/** What is asked first is found at once, and told when the gate opens. */
function firstAnswerAfter(gate: Promise<void>, pool: Pool): Pool {
  let isFirst = true;
  return new Proxy(pool, {
    get(target, name) {
      if (name !== "query" || !isFirst) return Reflect.get(target, name);
      isFirst = false;
      return async (query: QueryConfig) => {
        const found = await target.query(query);
        await gate;
        return found;
      };
    },
  });
}

describe("a setting", () => {
  test("is what the environment says until an admin changes it, and again when it is reset", async () => {
    const inForce = async () => {
      const lines = await listSettings(ctx, engine.settings);
      return lines.find(({ name }) => name === "LIMIT_PROFILE");
    };
    expect(await inForce()).toMatchObject({ value: "7", changed: null });
    await changeSetting(ctx, engine.settings, { name: "LIMIT_PROFILE", value: "9" });
    expect(await inForce()).toMatchObject({ value: "9", changed: { by: expect.any(String) } });
    await changeSetting(ctx, engine.settings, { name: "LIMIT_PROFILE", value: null });
    expect(await inForce()).toMatchObject({ value: "7", changed: null });
  });

  test("leaves every other one as it is: what the environment says, and what was changed before", async () => {
    await changeSetting(ctx, engine.settings, { name: "LIMIT_REVIEW", value: "3" });
    await changeSetting(ctx, engine.settings, { name: "LIMIT_ACCESS", value: "4" });
    await engine.settings.refresh();
    const { LIMIT_PROFILE, LIMIT_REVIEW, LIMIT_ACCESS } = engine.settings.values();
    expect([LIMIT_PROFILE, LIMIT_REVIEW, LIMIT_ACCESS]).toEqual([7, 3, 4]);
    await changeSetting(ctx, engine.settings, { name: "LIMIT_REVIEW", value: null });
    await changeSetting(ctx, engine.settings, { name: "LIMIT_ACCESS", value: null });
  });

  test("holds where it was changed as soon as that is answered, and so does taking it back", async () => {
    const change = await changeSetting(ctx, engine.settings, {
      name: "LIMIT_PROPOSE",
      value: "5",
    });
    expect(engine.settings.values().LIMIT_PROPOSE).toBe(5);
    await revertSetting(ctx, engine.settings, change);
    expect(engine.settings.values().LIMIT_PROPOSE).not.toBe(5);
  });

  test("is not what a look found that began before it was changed and was answered after", async () => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const pool = firstAnswerAfter(answered, engine.pool);
    const settings = createSettings({ env: engine.env, pool, log: engine.log });
    const early = settings.refresh();
    await changeSetting(ctx, settings, { name: "LIMIT_ACCESS", value: "13" });
    answer();
    await early;
    expect(settings.values().LIMIT_ACCESS).toBe(13);
    await changeSetting(ctx, settings, { name: "LIMIT_ACCESS", value: null });
  });

  test("is changed, and holds later, where it cannot be read right after", async () => {
    const ended = new Pool({ connectionString: engine.env.DATABASE_URL });
    await ended.end();
    const settings = createSettings({ env: engine.env, pool: ended, log: engine.log });
    await changeSetting(ctx, settings, { name: "LIMIT_ACCESS", value: "14" });
    expect(settings.values().LIMIT_ACCESS).not.toBe(14);
    await engine.settings.refresh();
    expect(engine.settings.values().LIMIT_ACCESS).toBe(14);
    await changeSetting(ctx, engine.settings, { name: "LIMIT_ACCESS", value: null });
  });

  test("holds on another instance within a second", async () => {
    const other = createEngine(engine.env, engine.log);
    await other.settings.refresh();
    other.settings.watch();
    await changeSetting(ctx, engine.settings, { name: "SIGN_UP", value: "invitation" });
    await expect.poll(() => other.settings.values().SIGN_UP, { timeout: 1_000 }).toBe("invitation");
    await other.stop();
    await changeSetting(ctx, engine.settings, { name: "SIGN_UP", value: null });
  });

  test("is refused where it is not usable, and then nothing is changed", async () => {
    for (const [name, value] of [
      ["LIMIT_PROFILE", "many"],
      ["LIMIT_PROFILE", "0"],
      ["SIGN_UP", "sometimes"],
      ["PROF_NAMESPACE", "a b"],
      ["ACCESS_EVENTS_DAYS", "29"],
    ] as const) {
      await expect(changeSetting(ctx, engine.settings, { name, value })).rejects.toMatchObject({
        code: "PROF006",
      });
    }
    expect(await engine.db.setting.count()).toBe(0);
  });

  test("that two admins set at once for the first time is logged with the value that the first one set", async () => {
    const name = "LIMIT_ACCESS";
    const first = async (client: PoolClient) => {
      await client.query("SELECT pg_advisory_xact_lock($1)", [adminsLock]);
      await client.query(
        `INSERT INTO "Setting" (key, value, "updatedAt") VALUES ($1, '"21"', now())`,
        [name],
      );
    };
    const second = await overtake(engine, first, () =>
      changeSetting(ctx, engine.settings, { name, value: "22" }),
    );
    expect(second).toMatchObject({ status: "fulfilled" });
    const events = await engine.db.adminEvent.findMany({ where: { subjectId: name } });
    expect(events.map(({ before, after }) => [before, after])).toContainEqual([
      { value: "21" },
      { value: "22" },
    ]);
    await changeSetting(ctx, engine.settings, { name, value: null });
  });

  test("can be taken back, unless it was changed again since", async () => {
    await changeSetting(ctx, engine.settings, { name: "LIMIT_ACCESS", value: "11" });
    const change = await changeSetting(ctx, engine.settings, { name: "LIMIT_ACCESS", value: "12" });
    await revertSetting(ctx, engine.settings, change);
    await engine.settings.refresh();
    expect(engine.settings.values().LIMIT_ACCESS).toBe(11);
    await expect(revertSetting(ctx, engine.settings, change)).rejects.toMatchObject({
      code: "PROF006",
    });
  });

  test("names the last change to take back, also a reset and one that was itself taken back", async () => {
    const line = async () => {
      const lines = await listSettings(ctx, engine.settings);
      return lines.find(({ name }) => name === "ACCESS_EVENTS_DAYS");
    };
    let now = testNow.getTime();
    const later = () => {
      now += 1_000;
      return { ...ctx, now: new Date(now) };
    };
    expect(await line()).toMatchObject({ changed: null, lastChange: null });
    const first = await changeSetting(later(), engine.settings, {
      name: "ACCESS_EVENTS_DAYS",
      value: "90",
    });
    expect((await line())?.lastChange).toEqual({ id: first, before: null });
    const reset = await changeSetting(later(), engine.settings, {
      name: "ACCESS_EVENTS_DAYS",
      value: null,
    });
    expect(await line()).toMatchObject({ changed: null, lastChange: { id: reset, before: "90" } });
    await revertSetting(later(), engine.settings, reset);
    expect(await line()).toMatchObject({ value: "90", lastChange: { before: null } });
    await revertSetting(later(), engine.settings, (await line())?.lastChange?.id ?? "");
    expect(await line()).toMatchObject({ value: "36500", changed: null });
  });

  test("keeps access events for longer where a row from before says less than thirty days", async () => {
    await engine.db.setting.create({
      data: { updatedAt: testNow, key: "ACCESS_EVENTS_DAYS", value: "1" },
    });
    await engine.settings.refresh();
    expect(engine.settings.values().ACCESS_EVENTS_DAYS).toBe(36_500);
    await engine.db.setting.delete({ where: { key: "ACCESS_EVENTS_DAYS" } });
  });

  test("that a row holds unreadably leaves the environment's word in force", async () => {
    await engine.db.setting.create({
      data: { updatedAt: testNow, key: "LIMIT_REVIEW", value: "no number" },
    });
    await engine.settings.refresh();
    expect(engine.settings.values().LIMIT_REVIEW).toBe(50);
  });
});

describe("the admins' log", () => {
  test("is listed newest first with before and after, and goes on where it ended", async () => {
    await changeSetting(ctx, engine.settings, { name: "LIMIT_MEMORIES", value: "21" });
    await changeSetting(ctx, engine.settings, { name: "LIMIT_MEMORIES", value: "22" });
    const input = { subject: "LIMIT_MEMORIES", limit: 1 };
    const first = await listAdminEvents(ctx, input);
    const second = await listAdminEvents(ctx, { ...input, after: first.next ?? undefined });
    const adminEvents = [...first.events, ...second.events].map(({ before, after }) => ({
      before,
      after,
    }));
    expect(adminEvents).toHaveLength(2);
    expect(adminEvents).toContainEqual({ before: { value: "21" }, after: { value: "22" } });
    expect(second.next).toBeNull();
  });
});

test("the admins' log is append-only", async () => {
  await changeSetting(ctx, engine.settings, { name: "LIMIT_REGISTER", value: "8" });
  for (const statement of [
    `UPDATE "AdminEvent" SET verb = 'nothing'`,
    `DELETE FROM "AdminEvent"`,
    `TRUNCATE "AdminEvent"`,
  ]) {
    await expect(engine.pool.query(statement)).rejects.toThrow(/append-only/);
  }
  const { events } = await listAdminEvents(ctx, { subject: "LIMIT_REGISTER", limit: 5 });
  expect(events).toMatchObject([{ verb: "changeSetting" }]);
});

describe("an export of it", () => {
  test("has every event that matches, in whole batches, and is told itself", async () => {
    const admin = await mintAdmin(engine);
    await engine.db.adminEvent.createMany({
      data: Array.from({ length: 1_100 }, (_none, n) => ({
        id: `evt_many${String(n).padStart(5, "0")}`,
        at: new Date(testNow.getTime() - n * 1_000),
        adminId: admin.userId,
        verb: "changeSetting",
        requestId: "req",
      })),
    });
    const input = { adminId: admin.userId, from: new Date(testNow.getTime() - 999_000) };
    let count = 0;
    for await (const events of await exportAdminEvents(admin.ctx, { ...input, format: "csv" })) {
      count += events.length;
    }
    expect(count).toBe(999);
    const adminEvents = await listAdminEvents(ctx, { verb: "exportAdminActivity", limit: 5 });
    expect(adminEvents.events).toMatchObject([{ admin: { id: admin.userId }, subjectId: "csv" }]);
  });
});

describe("everybody else", () => {
  test("is refused settings, system and admin activity", async () => {
    const owner = signedIn(engine, await mintOwner(engine));
    const tries = [
      listSettings(owner, engine.settings),
      changeSetting(owner, engine.settings, { name: "LIMIT_PROFILE", value: "1" }),
      revertSetting(owner, engine.settings, "evt_x"),
      listAdminEvents(owner, { limit: 1 }),
      describeSystem(owner, engine),
      exportAdminEvents(owner, { format: "csv" }),
    ];
    for (const one of await Promise.allSettled(tries)) {
      expect(one).toMatchObject({ status: "rejected", reason: { code: "PROF002" } });
    }
  });
});
