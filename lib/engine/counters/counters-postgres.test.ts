import fc from "fast-check";
import type { Pool, PoolClient } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventRow } from "@/lib/services/audit/record";
import { contextOf } from "@/lib/services/context";
import { testEngine, testNow } from "@/tests/support/harness";
import { giveMemory, mintAgent, mintOwner } from "@/tests/support/personas";
import { openPool } from "../db";
import { newId } from "../random";
import { type AdmissionRequest, type Counters, windowSeconds } from "./counters";
import { createPostgresCounters } from "./counters-postgres";

const hourMs = windowSeconds * 1_000;
const after = (ms: number) => new Date(testNow.getTime() + ms);

const engine = await testEngine();
const { counters, env, pool } = engine;

function someone(limit: number): Omit<AdmissionRequest, "at"> {
  return { caller: newId("caller"), class: "profile", limit };
}

/** Asks at each of these instants, in milliseconds after the first. */
async function askAt(input: Omit<AdmissionRequest, "at">, instants: number[]) {
  const answers = [];
  for (const ms of instants) answers.push(await counters.admit({ ...input, at: after(ms) }));
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
    const input = someone(3);
    const [refused] = (await askAt(input, [0, 700, 900, 5_000])).slice(-1);
    const reset = (refused?.standing.resetAt.getTime() ?? 0) - testNow.getTime();
    const answers = await askAt(input, [reset - 1, reset]);
    expect(answers.map(({ admitted }) => admitted)).toEqual([false, true]);
  });

  test("names a true reset under a limit that was lowered, too", async () => {
    const input = someone(4);
    await askAt(input, [0, 100, 200, 300]);
    const lowered = { ...input, limit: 2 };
    const [refused] = await askAt(lowered, [400]);
    expect(refused?.standing.resetAt).toEqual(after(hourMs + 200));
    const answers = await askAt(lowered, [hourMs + 199, hourMs + 200]);
    expect(answers.map(({ admitted }) => admitted)).toEqual([false, true]);
  });
});

describe("the rolling hour of a limit above 120", () => {
  test("never holds more than the limit, gives a place back half a minute late at most, and stays a short row", async () => {
    const gaps = fc.array(fc.integer({ min: 0, max: hourMs / 20 }), {
      minLength: 1,
      maxLength: 12,
    });
    const property = fc.asyncProperty(gaps, async (steps) => {
      const input = someone(121);
      const hits: number[] = [];
      let ms = 0;
      for (const step of steps) {
        ms += step;
        for (const { admitted } of await Promise.all(
          Array.from({ length: 40 }, () => counters.admit({ ...input, at: after(ms) })),
        )) {
          const since = (age: number) => hits.filter((hit) => hit > ms - age).length;
          expect(since(hourMs)).toBeLessThanOrEqual(admitted ? 120 : 121);
          if (admitted) hits.push(ms);
          else expect(since(hourMs + 30_000)).toBeGreaterThanOrEqual(121);
        }
      }
      const { rows } = await pool.query(
        `SELECT cardinality(at) AS length FROM "RateWindow" WHERE caller = $1`,
        [input.caller],
      );
      expect(rows[0]?.length).toBeLessThanOrEqual(121);
    });
    await fc.assert(property, { numRuns: 20, seed: 7 });
  });
});

test("a caller who goes on after a refusal leaves neither a nonce nor a lock, and is refused a used nonce", async () => {
  const input = { ...someone(1), at: testNow };
  const did = newId("caller");
  const nonceOf = (value: string) => ({ did, value, until: after(hourMs) });
  await counters.admit({ ...input, nonce: nonceOf("admitted") });
  await counters.admit({ ...input, nonce: nonceOf("refused") });
  const lockOf = () =>
    pool.query(`SELECT xmax::text FROM "RateWindow" WHERE caller = $1`, [input.caller]);
  const { rows: before } = await lockOf();
  for (const value of ["on", "and on", "admitted"]) {
    const answer = await counters.admit({ ...input, nonce: nonceOf(value) });
    const standing = { limit: 1, remaining: 0, resetAt: after(hourMs) };
    const fresh = value !== "admitted";
    expect(answer).toEqual({
      known: true,
      fresh,
      admitted: false,
      standing,
      revisions: none,
      recorded: false,
    });
  }
  const { rows } = await pool.query(`SELECT nonce FROM "Nonce" WHERE did = $1 ORDER BY 1`, [did]);
  expect(rows.map(({ nonce }) => nonce)).toEqual(["admitted", "refused"]);
  expect((await lockOf()).rows).toEqual(before);
});

describe("a request that was recognised by another revision", () => {
  const revisionOf = async (did: string) => {
    const { rows } = await pool.query(`SELECT revision FROM "Agent" WHERE did = $1`, [did]);
    return String(rows[0]?.revision);
  };

  test("uses up neither its nonce nor its limit, beside others that do", async () => {
    const { did } = await mintAgent(engine);
    const nonce = { did, value: newId("nonce"), until: after(hourMs) };
    const input = { caller: did, class: "profile", limit: 5, nonce, at: testNow };
    const signer = { did, revision: "1" };
    const other = someone(5);
    const [unknown, known] = await Promise.all([
      counters.admit({ ...input, signer }),
      counters.admit({ ...other, at: testNow }),
    ]);
    expect(unknown).toMatchObject({ known: false, fresh: false, admitted: false });
    expect(known).toMatchObject({ known: true, admitted: true, standing: { remaining: 4 } });
    const now = { did, revision: await revisionOf(did) };
    expect(await counters.admit({ ...input, signer: now, profileDid: did })).toMatchObject({
      ...{ known: true, fresh: true, admitted: true, standing: { remaining: 4 } },
      revisions: { signer: now.revision, profile: null },
    });
  });

  test("is recognised once more also where its limit is used up", async () => {
    const { did } = await mintAgent(engine);
    const input = { caller: did, class: "profile", limit: 1, at: testNow };
    await counters.admit(input);
    expect(await counters.admit(input)).toMatchObject({ known: true, admitted: false });
    const signer = { did, revision: "1" };
    expect(await counters.admit({ ...input, signer })).toMatchObject({ known: false });
  });
});

const none = { signer: null, profile: null };

interface Asks {
  caller: string;
  limit: number;
  /** Null where a token asks. */
  nonce: string | null;
}

/** All of them in one call, as where they come at once. */
async function askTogether(asks: Asks[], on: Pool | PoolClient = pool) {
  const { rows } = await on.query<{ fresh: boolean; admitted: boolean; remaining: number }>(
    `SELECT fresh, admitted, remaining
     FROM admit($1, $2, $3, $1, $4, $5, $6, make_interval(secs => $7), '5s', '{}', '{}', '{}', '[]') ORDER BY place`,
    [
      asks.map(({ caller }) => caller),
      asks.map(({ nonce }) => nonce),
      asks.map(({ nonce }) => nonce && after(hourMs)),
      asks.map(() => "profile"),
      asks.map(({ limit }) => limit),
      asks.map(() => testNow),
      windowSeconds,
    ],
  );
  return rows;
}

describe("a party of requests", () => {
  test("is admitted as if one had come after the other", async () => {
    const party = fc.array(
      fc.record({
        who: fc.integer({ min: 0, max: 2 }),
        nonce: fc.option(fc.integer({ min: 0, max: 4 })),
      }),
      { maxLength: 12 },
    );
    const property = fc.asyncProperty(
      fc.integer({ min: 0, max: 5 }),
      fc.array(party, { minLength: 1, maxLength: 3 }),
      async (limit, parties) => {
        const run = newId("run");
        const nonces = new Set<string>();
        const hits = new Map<string, number>();
        for (const party of parties) {
          const asks = party.map(({ who, nonce }) => ({
            caller: `${run}-${who}`,
            limit,
            nonce: nonce === null ? null : `nonce-${run}-${nonce}`,
          }));
          const answers = await askTogether(asks);
          expect(answers.map(({ fresh }) => fresh)).toEqual(
            asks.map(({ caller, nonce }) => {
              const shown = `${caller} ${nonce}`;
              const isFresh = nonce === null || !nonces.has(shown);
              if (nonce !== null) nonces.add(shown);
              return isFresh;
            }),
          );
          const counted = asks.filter((_, place) => answers[place]?.fresh);
          expect(answers.filter(({ fresh }) => fresh)).toEqual(
            counted.map(({ caller }) => {
              const before = hits.get(caller) ?? 0;
              const admitted = before < limit;
              if (admitted) hits.set(caller, before + 1);
              const remaining = limit - (hits.get(caller) ?? 0);
              return { fresh: true, admitted, remaining };
            }),
          );
        }
      },
    );
    await fc.assert(property, { numRuns: 60, seed: 7 });
  });

  test("has the lower of two limits, where one of them is just being changed", async () => {
    const caller = newId("caller");
    const asks = [3, 2, 3].map((limit) => ({ caller, limit, nonce: null }));
    expect((await askTogether(asks)).map(({ admitted }) => admitted)).toEqual([true, true, false]);
  });

  test.each([1, 5, 50, 500])(
    "finds its windows by their keys, by a plan from when there were %d",
    async (few) => {
      const client = await pool.connect();
      onTestFinished(async () => {
        await client.query("ROLLBACK");
        client.release();
      });
      const addWindows = (count: number) =>
        client.query(
          `INSERT INTO "RateWindow" (caller, class, "expiresAt")
         SELECT $1 || n, 'profile', now() FROM generate_series(1, $2) n`,
          [newId("caller"), count],
        );
      // Of this connection, since it last told.
      const rowsRead = async () => {
        const { rows } = await client.query<{ read: number }>(
          `SELECT (seq_tup_read + idx_tup_fetch)::int AS read
         FROM pg_stat_xact_user_tables WHERE relname = 'RateWindow'`,
        );
        return rows[0]?.read ?? 0;
      };
      const nonce = newId("nonce");
      const asks = [nonce, nonce, null].map((nonce) => ({ ...someone(9), nonce }));
      await client.query('TRUNCATE "RateWindow"');
      await addWindows(few);
      await client.query('VACUUM ANALYZE "RateWindow"');
      await client.query("DISCARD PLANS");
      await askTogether(asks, client);
      await addWindows(5_000);
      await client.query("BEGIN");
      const before = await rowsRead();
      await askTogether(asks, client);
      expect((await rowsRead()) - before).toBeLessThan(20);
    },
  );
});

describe("across instances", () => {
  test("two of them admit exactly 50 of 200 at once, by the database's clock", async () => {
    const onIdleError = (error: Error) => expect.unreachable(error.message);
    const pools = [1, 2].map(() =>
      openPool({ url: env.DATABASE_URL ?? "", poolMax: 10, onIdleError }),
    );
    const instances = pools.map(createPostgresCounters);
    const input = someone(50);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => instances.map((instance) => instance.admit(input))).flat(),
    );
    await Promise.all(pools.map((each) => each.end()));
    expect(answers).toHaveLength(200);
    expect(answers.filter(({ admitted }) => admitted)).toHaveLength(50);
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

describe("the event that a read brings along", () => {
  async function reading() {
    const { did, profileId } = await mintOwner(engine);
    const agent = await mintAgent(engine);
    const input = { ...someone(9), signer: { did: agent.did, revision: null }, profileDid: did };
    const { revisions } = await counters.admit(input);
    const ctx = contextOf(engine, { kind: "agent", did: agent.did, publicKey: Buffer.alloc(32) });
    const profile = { id: profileId, did, ownerId: "", state: "active" } as const;
    const event = eventRow(ctx, profile, { verb: "getProfile" });
    const isThere = () => engine.db.accessEvent.count({ where: { id: event.id } });
    return { agent, profileId, isThere, input: { ...input, precomputed: { event, revisions } } };
  }

  test("is recorded with the admission, where signer and profile are what they were", async () => {
    const { input, isThere } = await reading();
    expect(await counters.admit(input)).toMatchObject({ admitted: true, recorded: true });
    expect(await isThere()).toBe(1);
  });

  test.each<[string, (scene: Awaited<ReturnType<typeof reading>>) => unknown]>([
    ["the profile has changed", ({ profileId }) => giveMemory(engine, profileId)],
    [
      "the agent has changed",
      ({ agent: { did } }) => engine.db.agent.update({ where: { did }, data: { ceiling: [] } }),
    ],
    [
      "both are gone",
      async ({ profileId, agent: { did } }) => {
        await engine.db.profile.delete({ where: { id: profileId } });
        await engine.db.key.deleteMany({ where: { did } });
        await engine.db.agent.delete({ where: { did } });
      },
    ],
  ])("is not recorded where %s: the request is admitted all the same", async (_, change) => {
    const scene = await reading();
    await change(scene);
    expect(await counters.admit(scene.input)).toMatchObject({ admitted: true, recorded: false });
    expect(await scene.isThere()).toBe(0);
  });

  test("is not recorded beyond the limit, nor for a nonce that was used", async () => {
    const { input, isThere } = await reading();
    const nonce = { did: input.signer.did, value: newId("nonce"), until: after(hourMs) };
    await counters.admit({ ...input, nonce, precomputed: undefined });
    for (const refused of [
      { ...input, limit: 1 },
      { ...input, nonce },
    ]) {
      expect(await counters.admit(refused)).toMatchObject({ admitted: false, recorded: false });
    }
    expect(await isThere()).toBe(0);
  });
});
