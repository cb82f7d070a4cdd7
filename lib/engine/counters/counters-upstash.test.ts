import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { testEngine, testNow } from "@/tests/support/harness";
import { startRedisBridge } from "@/tests/support/redis-bridge";
import { createLog } from "../log";
import { createMetrics } from "../metrics";
import { newId } from "../random";
import { type AdmissionRequest, type Counters, windowSeconds } from "./counters";
import { createPostgresCounters } from "./counters-postgres";
import { createUpstashCounters } from "./counters-upstash";

const hourMs = windowSeconds * 1_000;
const { pool } = await testEngine();
const redis = await startRedisBridge();
afterAll(redis.stop);

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: testNow });
  return () => vi.useRealTimers();
});

/** An instance of the gateway that has just started, with its own log, figures and pauses. */
function startInstance({ url, token }: { url: string; token: string } = redis) {
  const lines: string[] = [];
  const metrics = createMetrics(pool);
  let elapsedMs = 0;
  const write = (line: string) => lines.push(JSON.parse(line).msg);
  const counters = createUpstashCounters({
    url,
    token,
    pool,
    postgres: createPostgresCounters(pool),
    log: createLog({ level: "info", destination: { write } }),
    metrics,
    now: () => elapsedMs,
  });
  return {
    counters,
    lines,
    pass: (ms: number) => {
      elapsedMs += ms;
    },
    async fallbacks() {
      const [, count] = /^gateway_limiter_fallbacks_total (\d+)$/m.exec(await metrics.text()) ?? [];
      return Number(count);
    },
  };
}

function someone(input: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return { caller: newId("caller"), class: "profile", limit: 3, ...input };
}

function nonce() {
  return { did: "did:prof:agent:local:iris", value: newId("nonce"), until: new Date(hourMs) };
}

async function ask(counters: Counters, input: AdmissionRequest, times: number) {
  const admitted: boolean[] = [];
  while (admitted.length < times) admitted.push((await counters.admit(input)).admitted);
  return admitted;
}

async function timed<Answer>(answer: Promise<Answer>) {
  const start = performance.now();
  return { answer: await answer, tookMs: performance.now() - start };
}

const stopped = "the limiter does not answer; PostgreSQL stands in";
const started = "the limiter answers again";

describe("a Redis that was killed", () => {
  test("leaves the decision to PostgreSQL, which limits all the same", async () => {
    const { counters, lines, fallbacks } = startInstance();
    expect(await ask(counters, someone(), 1)).toEqual([true]);
    expect(await fallbacks()).toBe(0);
    await redis.kill();
    onTestFinished(redis.start);

    expect(await ask(counters, someone(), 5)).toEqual([true, true, true, false, false]);
    expect(counters.healthy()).toBe(false);
    expect(await fallbacks()).toBe(5);
    expect(lines).toEqual([stopped]);
  });

  test("does not make a nonce claimed twice, nor accepted twice", async () => {
    const { counters } = startInstance();
    await redis.kill();
    onTestFinished(redis.start);

    for (const input of [someone({ nonce: nonce() }), someone({ nonce: nonce() })]) {
      const fresh = { fresh: true, admitted: true, standing: { remaining: 2 } };
      expect(await counters.admit(input)).toMatchObject(fresh);
      expect(await counters.admit(input)).toMatchObject({
        ...fresh,
        fresh: false,
        admitted: false,
      });
    }
  });

  test("keeps a nonce refused that was used before, also by the admission that finds out", async () => {
    const input = someone({ nonce: nonce() });
    await startInstance().counters.admit(input);
    await redis.kill();
    onTestFinished(redis.start);

    expect(await startInstance().counters.admit(input)).toMatchObject({
      fresh: false,
      admitted: false,
    });
  });

  test("decides again when it is back and the pause is over, not before", async () => {
    const { counters, lines, pass, fallbacks } = startInstance();
    await redis.kill();
    await ask(counters, someone(), 1);
    await redis.start();

    pass(2_999);
    await ask(counters, someone(), 1);
    expect(counters.healthy()).toBe(false);
    pass(1);
    await ask(counters, someone(), 4);
    expect(counters.healthy()).toBe(true);
    expect(await fallbacks()).toBe(2);
    expect(lines).toEqual([stopped, started]);
  });
});

describe("a Redis that hangs", () => {
  test("costs its deadline once, however many ask, and nothing after that", async () => {
    const { counters, lines } = startInstance();
    await ask(counters, someone(), 1);
    redis.hang();
    onTestFinished(redis.resume);

    const input = someone({ limit: 10 });
    const first = await timed(Promise.all(Array.from({ length: 30 }, () => counters.admit(input))));
    expect(first.answer.filter(({ admitted }) => admitted)).toHaveLength(10);
    expect(first.tookMs).toBeLessThan(1_000);
    const next = await timed(ask(counters, someone(), 20));
    expect(next.answer.filter((admitted) => admitted)).toHaveLength(3);
    expect(next.tookMs).toBeLessThan(500);
    expect(lines).toEqual([stopped]);
  });

  test("is tried by one admission after each pause, while the others go past it", async () => {
    const { counters, lines, pass } = startInstance();
    redis.hang();
    onTestFinished(redis.resume);
    await counters.admit(someone());

    pass(5_000);
    const tries = Array.from({ length: 10 }, () => timed(counters.admit(someone())));
    const slow = (await Promise.all(tries)).filter(({ tookMs }) => tookMs > 450);
    expect(slow).toHaveLength(1);
    expect(lines).toEqual([stopped]);
  });

  test("decides again once it has come round", async () => {
    const { counters, lines, pass } = startInstance();
    redis.hang();
    await counters.admit(someone());
    redis.resume();

    pass(5_000);
    expect(await ask(counters, someone(), 4)).toEqual([true, true, true, false]);
    expect(counters.healthy()).toBe(true);
    expect(lines).toEqual([stopped, started]);
  });
});

describe("an answer that is none", () => {
  const answers: [string, RequestListener][] = [
    ["an error page", (_, response) => response.writeHead(502).end("<h1>Bad Gateway</h1>")],
    ["nothing at all", (_, response) => response.end()],
    ["an empty list", (_, response) => response.end("[]")],
    ["null", (_, response) => response.end('[{"result":null}]')],
    ["words for numbers", (_, response) => response.end('[{"result":["many","more"]}]')],
    ["an error for each command", (_, response) => response.end('[{"error":"READONLY"}]')],
    ["a line that breaks", (request) => request.socket.destroy()],
    ["a body that never ends", (_, response) => response.write("[")],
  ];

  test.each(answers)("%s: PostgreSQL decides", async (_, listener) => {
    const { counters, lines, fallbacks } = startInstance({
      url: await serve(listener),
      token: "any",
    });
    expect(await ask(counters, someone(), 4)).toEqual([true, true, true, false]);
    expect(await fallbacks()).toBe(4);
    expect(lines).toEqual([stopped]);
  });

  test("a refused token: PostgreSQL decides", async () => {
    const { counters, fallbacks } = startInstance({ url: redis.url, token: "another" });
    expect(await ask(counters, someone(), 4)).toEqual([true, true, true, false]);
    expect(await fallbacks()).toBe(4);
  });
});

describe("usage", () => {
  test("is told from all of Redis's counts, in as many steps as it takes", async () => {
    const { counters } = startInstance();
    const many = Array.from({ length: 1_200 }, (_, nth) => someone({ class: `class-${nth % 8}` }));
    const waiting = many.values();
    const lane = async () => {
      for (const input of waiting) await counters.admit(input);
    };
    await Promise.all(times(8, lane).map((run) => run()));
    const { callers, countedBy, isWhole } = await counters.usage({ most: 10_000, at: testNow });
    const usage = new Map(callers.map((line) => [line.caller, line]));
    for (const { caller, class: input } of many) {
      expect(usage.get(caller)).toEqual({ caller, class: input, used: 1 });
    }
    expect({ countedBy, isWhole }).toEqual({ countedBy: "Upstash", isWhole: true });
  });

  test("counts the last clock hour by the share of it that is still near, as the limit does", async () => {
    const { counters } = startInstance();
    onTestFinished(() => void vi.setSystemTime(testNow));
    const input = someone({ limit: 10 });
    expect(await ask(counters, input, 8)).toEqual(times(8, true));
    const at = new Date(testNow.getTime() + 1.5 * hourMs);
    vi.setSystemTime(at);
    const { standing } = await counters.admit(input);
    const { callers } = await counters.usage({ most: 10_000, at });
    const used = callers.find(({ caller }) => caller === input.caller)?.used;
    expect({ used, left: standing.remaining }).toEqual({ used: 5, left: 5 });
  });

  test("is told from PostgreSQL's counts while it stands in, and when Redis does not answer", async () => {
    const { counters, lines } = startInstance();
    await redis.kill();
    onTestFinished(redis.start);
    const input = { most: 10_000, at: testNow };
    expect((await counters.usage(input)).countedBy).toBe("PostgreSQL");
    const one = someone();
    await counters.admit({ ...one, at: testNow });
    const { callers, countedBy } = await counters.usage(input);
    expect(callers).toContainEqual({ caller: one.caller, class: "profile", used: 1 });
    expect(countedBy).toBe("PostgreSQL");
    expect(lines).toEqual(["the limiter's counts could not be read", stopped]);
  });
});

describe("the bound of its window", () => {
  async function askAt(input: AdmissionRequest, instants: number[]) {
    const { counters, fallbacks } = startInstance();
    onTestFinished(() => void vi.setSystemTime(testNow));
    const admittedAt: number[] = [];
    for (const ms of instants) {
      vi.setSystemTime(testNow.getTime() + ms);
      if ((await counters.admit(input)).admitted) admittedAt.push(ms);
    }
    expect(await fallbacks()).toBe(0);
    return admittedAt;
  }
  test("at the edge of two windows, one more call is admitted and not a whole limit", async () => {
    const input = someone({ limit: 10 });
    const instants = [...times(12, hourMs - 1), ...times(12, hourMs + 1)];
    expect(await askAt(input, instants)).toEqual([...times(10, hourMs - 1), hourMs + 1]);
  });

  test("twice the limit fits into a trailing hour at worst", async () => {
    const input = someone({ limit: 10 });
    const instants = [...times(12, hourMs - 1), ...times(12, 2 * hourMs - 2)];
    expect(await askAt(input, instants)).toHaveLength(20);
  });

  test("never more than twice the limit in any trailing hour, whatever the times", async () => {
    const gap = fc.oneof(
      fc.integer({ min: 0, max: hourMs / 4 }),
      fc.constantFrom(0, 1, hourMs - 1),
    );
    const gaps = fc.array(gap, { minLength: 10, maxLength: 30 });
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      gaps,
      async (limit, steps) => {
        const instants = steps.map((_, index) =>
          steps.slice(0, index).reduce((sum, ms) => sum + ms, 0),
        );
        const admittedAt = await askAt(someone({ limit }), instants);
        for (const end of admittedAt) {
          const inTheHour = admittedAt.filter((ms) => ms > end - hourMs && ms <= end);
          expect(inTheHour.length).toBeLessThanOrEqual(2 * limit);
        }
      },
    );
    await fc.assert(property, { numRuns: 10, seed: 11 });
  });
});

function times<T>(count: number, one: T): T[] {
  return Array<T>(count).fill(one);
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
