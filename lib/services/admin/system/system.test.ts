import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openDb, openPool } from "@/lib/engine/db";
import { newId } from "@/lib/engine/random";
import { startEmbeddedPostgres } from "@/server/embedded-postgres/start";
import { emptyDatabase } from "@/tests/support/database";
import { configured, type TestEngine, testEngine, testNow } from "@/tests/support/harness";
import { mintAdmin, mintAgent, mintOwner } from "@/tests/support/personas";
import { startRedisBridge } from "@/tests/support/redis-bridge";
import { describeSystem } from "./describe-system";
import { nearLimits } from "./near-limits";
import { slowStatements, withoutValues } from "./slow-statements";

const engine = await testEngine();
const redis = await startRedisBridge();
afterAll(redis.stop);
const onRedis = await testEngine({
  UPSTASH_REDIS_REST_URL: redis.url,
  UPSTASH_REDIS_REST_TOKEN: redis.token,
});
const { ctx } = await mintAdmin(engine);

// The Upstash client counts by this process's clock.
beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: testNow });
  return () => vi.useRealTimers();
});

function secondsAgo(seconds: number): Date {
  return new Date(testNow.getTime() - seconds * 1_000);
}

test("the system is told with its engines and sizes, and no password", async () => {
  const system = await describeSystem(ctx, engine);
  expect(system.readiness.database.answers).toBe(true);
  expect(system.versions).toEqual({
    gateway: expect.stringMatching(/^\d+\.\d+\.\d+/),
    node: process.versions.node,
    postgres: expect.stringMatching(/^\d+/),
  });
  expect(system.database.bytes).toBeGreaterThan(1_000_000);
  const password = new URL(engine.env.DATABASE_URL ?? "").password;
  expect(JSON.stringify(system)).not.toContain(password);
});

describe("each job is told", () => {
  async function measured(name: string) {
    const { jobs } = await describeSystem(ctx, engine);
    return jobs.find((job) => job.name === name);
  }

  test("with how long it took and no delay while its interval has not passed", async () => {
    const startedAt = secondsAgo(9);
    const finishedAt = new Date(startedAt.getTime() + 340);
    await engine.db.job.create({ data: { name: "expire-proposals", startedAt, finishedAt } });
    expect(await measured("expire-proposals")).toEqual({
      name: "expire-proposals",
      everySeconds: 10,
      startedAt,
      tookMs: 340,
      lateSeconds: 0,
      failures: 0,
      failure: null,
    });
  });

  test("with how long it is overdue, its failures, and no duration while a turn runs", async () => {
    const [startedAt, finishedAt] = [secondsAgo(95), secondsAgo(100)];
    const failing = { failures: 3, failure: "TypeError" };
    await engine.db.job.create({
      data: { name: "sweep-nonces", startedAt, finishedAt, ...failing },
    });
    const running = { tookMs: null, lateSeconds: 85, ...failing };
    expect(await measured("sweep-nonces")).toMatchObject(running);
  });

  test("also before it has run, and one that no version has any more is not", async () => {
    expect(await measured("drop-events")).toMatchObject({ startedAt: null, lateSeconds: 0 });
    await engine.db.job.create({ data: { name: "long-gone", startedAt: secondsAgo(1_000_000) } });
    expect(await measured("long-gone")).toBeUndefined();
  });
});

describe.each([
  ["PostgreSQL", engine],
  ["Upstash", onRedis],
])("who is near a limit that %s counts", (countedBy, counting) => {
  async function use(on: TestEngine, input: { caller: string; class: string; times: number }) {
    const { times, ...who } = input;
    for (let turn = 0; turn < times; turn++) {
      await on.counters.admit({ ...who, limit: 1_000, at: testNow });
    }
  }

  test("is told nearest first, by name, against the limit that holds for them", async () => {
    const admin = await mintAdmin(counting);
    const busy = await mintAgent(counting, { name: "Busy", limits: { memories: 1_000 } });
    const tight = await mintAgent(counting, { name: "Tight", limits: { propose: 4 } });
    const owner = await mintOwner(counting);
    await use(counting, { caller: busy.did, class: "memories", times: 30 });
    await use(counting, { caller: tight.did, class: "propose", times: 3 });
    await use(counting, { caller: `user:${owner.userId}`, class: "session", times: 5 });
    const limited = configured(counting, { LIMIT_SESSION: 10 });
    const near = await nearLimits(admin.ctx, limited);
    expect(near).toMatchObject({ countedBy, isWhole: true });
    const email = `${owner.userId}@alice.test`.toLowerCase();
    expect(near.callers).toEqual([
      { caller: tight.did, name: "Tight", class: "propose", used: 3, limit: 4 },
      { caller: `user:${owner.userId}`, name: email, class: "session", used: 5, limit: 10 },
      { caller: busy.did, name: "Busy", class: "memories", used: 30, limit: 1_000 },
    ]);
  });
});

describe("slow statements", () => {
  const pools: Pool[] = [];
  const cleanups: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const pool of pools) await pool.end();
    for (const cleanup of cleanups) await cleanup();
  });

  async function on(url: string) {
    // A connection that says goodbye may hear of its server's end before it is gone.
    const pool = openPool({ url, poolMax: 1, onIdleError: () => undefined });
    pools.push(pool);
    return slowStatements({ ...ctx, db: openDb(pool) });
  }

  const roundsMax = 30;

  // PostgreSQL remembers 5,000 forms of all databases. It may forget one while other tests run: then another is used.
  async function sleepFiveTimes(canary: string) {
    for (let round = 1; ; round++) {
      for (let turn = 0; turn < 5; turn++) {
        await engine.pool.query(`SELECT pg_sleep(0.05) AS round${round}, '${canary}', 4711`);
      }
      const answer = await slowStatements(ctx);
      const slowest = answer.statements.find(({ statement }) =>
        statement.includes(`round${round}`),
      );
      if (slowest?.calls === 5 || round === roundsMax) return { ...answer, slowest, round };
    }
  }

  test("are told by their form, slowest first, without the values they had", async () => {
    const canary = newId("canary");
    const { counted, statements, slowest, round } = await sleepFiveTimes(canary);
    expect(counted).toBe("yes");
    const statement = `SELECT pg_sleep($1) AS round${round}, $2, $3`;
    expect(slowest).toMatchObject({ statement, calls: 5 });
    expect(slowest?.meanMs).toBeGreaterThanOrEqual(50);
    expect(slowest?.totalMs).toBeGreaterThanOrEqual(250);
    const means = statements.map(({ meanMs }) => meanMs);
    expect(means).toEqual(means.toSorted((one, other) => other - one));
    expect(JSON.stringify(statements)).not.toContain(canary);
  });

  test("keep no value where PostgreSQL forgot the form and kept the text", () => {
    const cases: [string, string][] = [
      ["SELECT 'it''s a canary', 12.5 FROM t1", "SELECT ?, ? FROM t1"],
      ["SELECT $1, $$a canary$$, $q$ one $q$", "SELECT $1, ?, ?"],
      ["SELECT 'cut off in the mid", "SELECT ?"],
      ['UPDATE "Job"\n  SET x = 1 WHERE "a1" = $12', 'UPDATE "Job" SET x = ? WHERE "a1" = $12'],
    ];
    for (const [text, expected] of cases) expect(withoutValues(text)).toBe(expected);
    expect(withoutValues("x".repeat(5_000))).toHaveLength(301);
  });

  test("are missing where the database lacks the extension, and that is said", async () => {
    expect(await on(await emptyDatabase())).toEqual({ counted: "no extension", statements: [] });
  });

  test("are missing where PostgreSQL did not load the library, and that is said", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "gateway-slow-"));
    const dataFolder = path.join(folder, "postgres");
    const settings = { shared_preload_libraries: "" };
    const postgres = await startEmbeddedPostgres({ dataFolder, settings });
    cleanups.push(postgres.stop, () => rm(folder, { recursive: true }));
    expect(await on(postgres.url)).toEqual({ counted: "not loaded", statements: [] });
  });
});
