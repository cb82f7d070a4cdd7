import { describe, expect, test } from "vitest";
import type { Job } from "@/lib/services/gateway-jobs";
import { testEngine, testNow } from "@/lib/testing/harness";
import { runIfDue } from "./jobs";

const engine = await testEngine();

function job(name: string, run: Job["run"] = async () => 0): Job {
  return { name, everySeconds: 10, run };
}

function later(seconds: number): Date {
  return new Date(testNow.getTime() + seconds * 1_000);
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
    engine.setNow(testNow);
    expect(await runIfDue(engine, patient)).toBe(true);
    engine.setNow(later(9));
    expect(await runIfDue(engine, patient)).toBe(false);
    engine.setNow(later(10));
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
    const told = [];
    for (const seconds of [0, 10, 20]) {
      engine.setNow(later(seconds));
      await runIfDue(engine, moody);
      const row = await engine.db.job.findUniqueOrThrow({ where: { name: "moody" } });
      told.push([row.failures, row.failure]);
    }
    expect(told).toEqual([
      [1, "TypeError"],
      [2, "TypeError"],
      [0, null],
    ]);
  });

  test("that is overdue shows in the metrics", async () => {
    engine.setNow(testNow);
    await runIfDue(engine, job("late"));
    engine.setNow(later(70));
    await runIfDue(engine, job("late"));
    expect(await engine.metrics.text()).toContain('gateway_job_lag_seconds{job="late"} 60');
  });
});
