import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { testEngine, testNow } from "@/tests/support/harness";
import { startRedisBridge } from "@/tests/support/redis-bridge";
import { newId } from "../random";
import { type AdmissionRequest, windowSeconds } from "./counters";

// What holds for every engine. What only one of them promises stands in its own file.

const engines: { name: string; settings: () => Promise<Record<string, string>> }[] = [
  { name: "PostgreSQL", settings: async () => ({}) },
  { name: "Upstash", settings: startUpstash },
];

// The Upstash client counts by this process's clock. It stands still, so no answer is late on a busy machine.
beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: testNow });
  return () => vi.useRealTimers();
});
beforeEach(() => {
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => new AbortController().signal);
});

describe.each(engines)("$name", async ({ name, settings }) => {
  const { counters } = await testEngine(await settings());

  /** Asks as often as told, one after the other. */
  async function ask(input: AdmissionRequest, times: number) {
    const answers = [];
    while (answers.length < times) answers.push(await counters.admit(input));
    return answers;
  }

  test("is the engine that the environment chose", () => {
    expect(counters.name).toBe(name);
    expect(counters.healthy()).toBe(true);
  });

  test("admits exactly the limit and refuses what comes on top", async () => {
    const answers = await ask(someone(), 8);
    expect(answers.map(({ admitted }) => admitted)).toEqual([...yes(5), ...no(3)]);
    expect(answers.every(({ fresh }) => fresh)).toBe(true);
  });

  test("counts down what remains, to zero and not below", async () => {
    const answers = await ask(someone(), 7);
    expect(answers.map(({ standing }) => standing.remaining)).toEqual([4, 3, 2, 1, 0, 0, 0]);
    expect(answers.every(({ standing }) => standing.limit === 5)).toBe(true);
  });

  test("names an instant within the coming hour at which a refused caller may come again", async () => {
    const input = someone({ limit: 1 });
    for (const { standing } of await ask(input, 2)) {
      expect(standing.resetAt.getTime()).toBeGreaterThan(testNow.getTime());
      expect(standing.resetAt.getTime()).toBeLessThanOrEqual(
        testNow.getTime() + windowSeconds * 1_000,
      );
    }
  });

  test("counts each caller for itself", async () => {
    const [one, other] = [someone({ limit: 1 }), someone({ limit: 1 })];
    expect(await admitted(one, one, other)).toEqual([true, false, true]);
  });

  test("counts each class for itself", async () => {
    const one = someone({ limit: 1 });
    expect(await admitted(one, one, { ...one, class: "review" })).toEqual([true, false, true]);
  });

  test("refuses a nonce that was used, and does not charge for it", async () => {
    const input = someone({ nonce: nonce() });
    const [first, second, third] = await ask(input, 3);
    expect(first).toMatchObject({ fresh: true, admitted: true, standing: { remaining: 4 } });
    for (const again of [second, third]) {
      expect(again).toMatchObject({ fresh: false, admitted: false, standing: { remaining: 4 } });
    }
    const next = await counters.admit({ ...input, nonce: nonce() });
    expect(next).toMatchObject({ fresh: true, admitted: true, standing: { remaining: 3 } });
  });

  test("refuses a used nonce in another class and of another caller with the same DID", async () => {
    const input = someone({ nonce: nonce() });
    const { caller } = someone();
    await counters.admit(input);
    expect(await counters.admit({ ...input, class: "review" })).toMatchObject({ fresh: false });
    expect(await counters.admit({ ...input, caller })).toMatchObject({ fresh: false });
  });

  test("takes the same nonce from another DID", async () => {
    const used = nonce();
    const other = { ...used, did: nonce().did };
    await counters.admit(someone({ nonce: used }));
    expect(await counters.admit(someone({ nonce: other }))).toMatchObject({
      fresh: true,
      admitted: true,
    });
  });

  test("keeps the nonce of a request that the limit refused", async () => {
    const input = someone({ limit: 1, nonce: nonce() });
    await counters.admit({ ...input, nonce: undefined });
    expect(await counters.admit(input)).toMatchObject({ fresh: true, admitted: false });
    expect(await counters.admit({ ...input, limit: 9 })).toMatchObject({
      fresh: false,
      admitted: false,
    });
  });

  test("admits exactly 50 of 200 at once", async () => {
    const input = someone({ limit: 50 });
    const answers = await atOnce(200, () => counters.admit(input));
    expect(answers.filter((answer) => answer.admitted)).toHaveLength(50);
    const left = answers
      .filter((answer) => answer.admitted)
      .map(({ standing }) => standing.remaining);
    expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index));
  });

  test("accepts one of 20 copies at once, and charges once", async () => {
    const input = someone({ nonce: nonce() });
    const answers = await atOnce(20, () => counters.admit(input));
    expect(answers.filter(({ fresh }) => fresh)).toHaveLength(1);
    expect(answers.filter((answer) => answer.admitted)).toHaveLength(1);
    const next = await counters.admit({ ...input, nonce: nonce() });
    expect(next.standing.remaining).toBe(3);
  });

  test("applies a changed limit at once, in both directions", async () => {
    const input = someone({ limit: 3 });
    expect(await admitted(input, input, input, input)).toEqual([true, true, true, false]);
    const raised = { ...input, limit: 5 };
    expect(await admitted(raised, raised, raised)).toEqual([true, true, false]);
    const lowered = await counters.admit({ ...input, limit: 2 });
    expect(lowered).toMatchObject({ admitted: false, standing: { limit: 2, remaining: 0 } });
  });

  test("admits nobody under a limit of zero", async () => {
    const input = someone({ limit: 0 });
    expect(await admitted(input, input)).toEqual([false, false]);
  });

  test("tells who was admitted how often within the hour, the busiest first", async () => {
    const [busy, calm, gone] = [someone(), someone({ class: "review" }), someone()];
    vi.setSystemTime(hoursAgo(2));
    await ask({ ...gone, at: hoursAgo(2) }, 2);
    vi.setSystemTime(testNow);
    await ask(calm, 2);
    await ask(busy, 7);
    const { callers, countedBy } = await counters.usage({ most: 1_000, at: testNow });
    const ours = callers.filter((one) =>
      [busy, calm, gone].some(({ caller }) => caller === one.caller),
    );
    expect(ours).toEqual([
      { caller: busy.caller, class: "profile", used: 5 },
      { caller: calm.caller, class: "review", used: 2 },
    ]);
    expect(countedBy).toBe(name);
  });

  test("tells the busiest ones where there are more than asked for, and says so", async () => {
    await ask(someone({ limit: 60 }), 60);
    await ask(someone(), 1);
    const few = await counters.usage({ most: 1, at: testNow });
    expect(few).toMatchObject({ callers: [{ used: 60 }], isWhole: false });
    expect((await counters.usage({ most: 1_000, at: testNow })).isWhole).toBe(true);
  });

  async function admitted(...input: AdmissionRequest[]): Promise<boolean[]> {
    const answers = [];
    for (const one of input) answers.push((await counters.admit(one)).admitted);
    return answers;
  }
});

async function startUpstash(): Promise<Record<string, string>> {
  const { url, token, stop } = await startRedisBridge();
  afterAll(stop);
  return { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token };
}

function someone(input: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return { caller: newId("caller"), class: "profile", limit: 5, at: testNow, ...input };
}

function hoursAgo(hours: number): Date {
  return new Date(testNow.getTime() - hours * windowSeconds * 1_000);
}

function nonce() {
  const until = new Date(testNow.getTime() + windowSeconds * 1_000);
  return { did: `did:prof:agent:local:${newId("agent")}`, value: newId("nonce"), until };
}

function atOnce<Answer>(times: number, ask: () => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: times }, ask));
}

const yes = (times: number) => Array<boolean>(times).fill(true);
const no = (times: number) => Array<boolean>(times).fill(false);
