import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testEngine, testNow } from "@/lib/testing/harness";
import { openPool } from "../db";
import { newId } from "../random";
import { type AdmissionRequest, type Counters, windowSeconds } from "./counters";
import { createPostgresCounters } from "./counters-postgres";

const hourMs = windowSeconds * 1_000;
const after = (ms: number) => new Date(testNow.getTime() + ms);

const { counters, env, pool } = await testEngine();

function someone(limit: number): Omit<AdmissionRequest, "at"> {
  return { caller: newId("caller"), class: "profile", limit };
}

/** Asks at each of these instants, in milliseconds after the first. */
async function askAt(asked: Omit<AdmissionRequest, "at">, instants: number[]) {
  const answers = [];
  for (const ms of instants) answers.push(await counters.admit({ ...asked, at: after(ms) }));
  return answers;
}

describe("the rolling hour", () => {
  test("holds to its last millisecond, and a hit leaves it exactly an hour after it came", async () => {
    const answers = await askAt(someone(2), [
      0,
      1_000,
      hourMs - 1,
      hourMs,
      hourMs + 999,
      hourMs + 1_000,
    ]);
    expect(answers.map(({ admitted }) => admitted)).toEqual([true, true, false, true, false, true]);
  });

  test("never holds more than the limit, whatever the times", async () => {
    const gaps = fc.array(
      fc.oneof(fc.integer({ min: 0, max: hourMs / 3 }), fc.constantFrom(0, 1, hourMs - 1, hourMs)),
      { minLength: 1, maxLength: 40 },
    );
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      gaps,
      async (limit, steps) => {
        let ms = 0;
        const instants = steps.map((gap) => {
          ms += gap;
          return ms;
        });
        const answers = await askAt(someone(limit), instants);
        expect(answers.map(describeAnswer)).toEqual(expectedAnswers(limit, instants));
      },
    );
    await fc.assert(property, { numRuns: 60, seed: 7 });
  });

  test("lets the next one in at the reset it named, and not a millisecond before", async () => {
    const asked = someone(3);
    const [refused] = (await askAt(asked, [0, 700, 900, 5_000])).slice(-1);
    const reset = (refused?.standing.resetAt.getTime() ?? 0) - testNow.getTime();
    const answers = await askAt(asked, [reset - 1, reset]);
    expect(answers.map(({ admitted }) => admitted)).toEqual([false, true]);
  });

  test("names a true reset under a limit that was lowered, too", async () => {
    const asked = someone(4);
    await askAt(asked, [0, 100, 200, 300]);
    const lowered = { ...asked, limit: 2 };
    const [refused] = await askAt(lowered, [400]);
    expect(refused?.standing.resetAt).toEqual(after(hourMs + 200));
    const answers = await askAt(lowered, [hourMs + 199, hourMs + 200]);
    expect(answers.map(({ admitted }) => admitted)).toEqual([false, true]);
  });
});

describe("across instances", () => {
  test("two of them admit exactly 50 of 200 at once, by the database's clock", async () => {
    const onIdleError = (error: Error) => expect.unreachable(error.message);
    const pools = [1, 2].map(() =>
      openPool({ url: env.DATABASE_URL ?? "", poolMax: 10, onIdleError }),
    );
    const instances = pools.map(createPostgresCounters);
    const asked = someone(50);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => instances.map((instance) => instance.admit(asked))).flat(),
    );
    await Promise.all(pools.map((each) => each.end()));
    expect(answers).toHaveLength(200);
    expect(answers.filter(({ admitted }) => admitted)).toHaveLength(50);
  });
});

describe("sweeping", () => {
  test("hits that left the hour changes nothing", async () => {
    const asked = someone(2);
    await askAt(asked, [0, hourMs - 10]);
    await pool.query(`DELETE FROM "RateHit" WHERE caller = $1 AND "admittedAt" <= $2`, [
      asked.caller,
      after(0),
    ]);
    const answers = await askAt(asked, [hourMs, hourMs + 1]);
    expect(answers.map(({ admitted }) => admitted)).toEqual([true, false]);
  });

  test("a window whose hits still count forgets none of them", async () => {
    const asked = someone(2);
    await askAt(asked, [0, 1]);
    await pool.query(`DELETE FROM "RateWindow" WHERE caller = $1`, [asked.caller]);
    const answers = await askAt(asked, [2, hourMs, hourMs]);
    expect(answers.map(({ admitted }) => admitted)).toEqual([false, true, false]);
  });

  test("windows under load neither fails nor lets one too many in", async () => {
    const asked = someone(30);
    const sweep = () => pool.query(`DELETE FROM "RateWindow" WHERE caller = $1`, [asked.caller]);
    const answers = await Promise.all(
      Array.from({ length: 120 }, async (_, index) => {
        if (index % 6 === 0) await sweep();
        return counters.admit(asked);
      }),
    );
    expect(answers.filter(({ admitted }) => admitted)).toHaveLength(30);
  });
});

function describeAnswer({ admitted, standing }: Awaited<ReturnType<Counters["admit"]>>) {
  return { admitted, remaining: standing.remaining };
}

// The rule in the plainest words: remember every hit, count those of the last hour.
function expectedAnswers(limit: number, instants: number[]) {
  const hits: number[] = [];
  return instants.map((now) => {
    const inTheHour = () => hits.filter((hit) => hit > now - hourMs).length;
    const admitted = inTheHour() < limit;
    if (admitted) hits.push(now);
    return { admitted, remaining: limit - inTheHour() };
  });
}
