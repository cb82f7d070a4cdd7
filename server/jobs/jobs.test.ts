import { afterEach, describe, expect, test } from "vitest";
import type { Job } from "@/lib/services/gateway-jobs";
import { testEngine, testNow } from "@/tests/support/harness";
import { runIfDue } from "./jobs";

const engine = await testEngine();

const everySeconds = 3_600;

function job(name: string, run: Job["run"] = async () => 0): Job {
  return { name, everySeconds, run };
}

/** As if that much time had gone by since the job's turn began, and a moment: what is kept is rounded. */
async function passed(name: string, seconds: number): Promise<void> {
  await engine.pool.query(
    `UPDATE "Job" SET "startedAt" = now() - make_interval(secs => $2 + 0.001) WHERE name = $1`,
    [name, seconds],
  );
}

describe("a job", () => {
  test("runs once however many instances ask", async () => {
    let runs = 0;
    const counted = job("counted", async () => {
      runs += 1;
      return 0;
    });
    const turns = await Promise.all(Array.from({ length: 8 }, () => runIfDue(engine, counted)));
    expect(turns.filter(Boolean)).toHaveLength(1);
    expect(runs).toBe(1);
  });

  test("has its next turn when its time has come, also after one that died", async () => {
    const patient = job("patient");
    expect(await runIfDue(engine, patient)).toBe(true);
    await passed("patient", everySeconds / 2);
    expect(await runIfDue(engine, patient)).toBe(false);
    await passed("patient", everySeconds);
    expect(await runIfDue(engine, patient)).toBe(true);
  });

  test("works a backlog off in batches, and stops where it is done", async () => {
    const left = [500, 500, 3, 0, 0];
    await runIfDue(
      engine,
      job("backlog", async () => left.shift() ?? 0),
    );
    expect(left).toEqual([0]);
  });

  test("that says how large a batch is stops with the first that is smaller", async () => {
    const left = [500, 500, 3, 2, 1];
    const sealing = { ...job("sealing", async () => left.shift() ?? 0), batchMax: 500 };
    await runIfDue(engine, sealing);
    expect(left).toEqual([2, 1]);
  });

  test("leaves the rest for its next turn after two seconds, so that others have theirs", async () => {
    let batches = 0;
    const endless = job("endless", async () => {
      batches += 1;
      return 1_000;
    });
    let elapsedMs = 0;
    const halfASecondEach = () => {
      elapsedMs += 500;
      return elapsedMs;
    };
    expect(await runIfDue(engine, endless, halfASecondEach)).toBe(true);
    expect(batches).toBe(4);
  });

  test("that fails is written down, and does not end the others", async () => {
    const failing = job("failing", async () => {
      throw new TypeError("canary");
    });
    expect(await runIfDue(engine, failing)).toBe(true);
    const row = await engine.db.job.findUniqueOrThrow({ where: { name: "failing" } });
    expect(row).toMatchObject({ failure: "TypeError", finishedAt: expect.any(Date) });
  });

  test("counts its failures until it succeeds again", async () => {
    const outcomes = [false, false, true];
    const moody = job("moody", async () => {
      if (outcomes.shift() === false) throw new TypeError("canary");
      return 0;
    });
    const lines = [];
    for (let turn = 0; turn < 3; turn++) {
      await passed("moody", everySeconds);
      await runIfDue(engine, moody);
      const row = await engine.db.job.findUniqueOrThrow({ where: { name: "moody" } });
      lines.push([row.failures, row.failure]);
    }
    expect(lines).toEqual([
      [1, "TypeError"],
      [2, "TypeError"],
      [0, null],
    ]);
  });

  test("that is overdue shows in the metrics", async () => {
    await runIfDue(engine, job("late"));
    await passed("late", everySeconds + 6_000);
    await runIfDue(engine, job("late"));
    expect(await engine.metrics.text()).toMatch(/gateway_job_lag_seconds\{job="late"\} 60\d\d/);
  });
});

describe("an instance whose clock is wrong", () => {
  afterEach(() => engine.setNow(testNow));

  test.each(["2001-01-01", "2999-01-01"])("as in %s takes no turn before its time", async (day) => {
    const name = `by the clock of ${day}`;
    await runIfDue(engine, job(name));
    engine.setNow(new Date(day));
    expect(await runIfDue(engine, job(name))).toBe(false);
    await passed(name, everySeconds);
    expect(await runIfDue(engine, job(name))).toBe(true);
    engine.setNow(testNow);
    expect(await runIfDue(engine, job(name))).toBe(false);
    const row = await engine.db.job.findUniqueOrThrow({ where: { name } });
    expect(row.finishedAt?.getTime()).toBeGreaterThanOrEqual(row.startedAt.getTime());
  });

  test("does its work by the database's clock where that is the earlier one, else by its own", async () => {
    const clocks: Date[] = [];
    const looking = job("looking", async ({ now }) => {
      clocks.push(now());
      return 0;
    });
    engine.setNow(new Date("2999-01-01"));
    await runIfDue(engine, looking);
    const { startedAt } = await engine.db.job.findUniqueOrThrow({ where: { name: "looking" } });
    await passed("looking", everySeconds);
    engine.setNow(new Date("2001-01-01"));
    await runIfDue(engine, looking);
    expect(clocks).toEqual([startedAt, new Date("2001-01-01")]);
  });

  test("has left no start behind that keeps the others from their turns", async () => {
    await runIfDue(engine, job("from the future"));
    await passed("from the future", -10 * 365 * 24 * 60 * 60);
    expect(await runIfDue(engine, job("from the future"))).toBe(true);
  });
});
