import type { Pool } from "pg";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { testEngine, testNow } from "@/tests/support/harness";
import { type AdmissionRequest, windowSeconds } from "./counters/counters";
import { claimNonce, createPostgresCounters } from "./counters/counters-postgres";
import { openPool } from "./db";
import { newId } from "./random";
import { sweepNonces, sweepWindows } from "./sweep";

const { counters, db, env, pool } = await testEngine();
const did = "did:prof:agent:local:shows";
const hourMs = 60 * 60_000;
const later = (ms: number, from = testNow) => new Date(from.getTime() + ms);

function shown(value: string, until = later(hourMs)) {
  return { did, value, until };
}

/** By the instance's limits; of a caller of its own, so that no window orders those who ask at once. */
function asking(value: string): AdmissionRequest {
  return { caller: newId("caller"), class: "profile", limit: 9, nonce: shown(value) };
}

async function nonces(): Promise<string[]> {
  const { rows } = await pool.query<{ nonce: string }>(`SELECT nonce FROM "Nonce" ORDER BY nonce`);
  return rows.map(({ nonce }) => nonce);
}

async function put(until: Date): Promise<string> {
  const value = newId("nonce");
  await pool.query(`INSERT INTO "Nonce" (did, nonce, "expiresAt") VALUES ($1, $2, $3)`, [
    did,
    value,
    until,
  ]);
  return value;
}

beforeEach(async () => {
  await pool.query(`TRUNCATE "Nonce"`);
});

describe("a nonce is claimed once", () => {
  const pools: Pool[] = [];
  afterAll(() => Promise.all(pools.map((open) => open.end())));

  test("by two that have not seen each other's yet: the second waits for the first", async () => {
    const value = newId("nonce");
    const first = await pool.connect();
    await first.query("BEGIN");
    await first.query(`INSERT INTO "Nonce" (did, nonce, "expiresAt") VALUES ($1, $2, now())`, [
      did,
      value,
    ]);
    const second = counters.admit(asking(value));
    const third = claimNonce(pool, shown(value));
    await first.query("COMMIT");
    first.release();
    expect(await second).toMatchObject({ fresh: false });
    expect(await third).toBe(false);
  });

  test("by four instances at once, many at a time and one by one, and no two wait for each other", async () => {
    const onIdleError = (error: Error) => expect.unreachable(error.message);
    const url = env.DATABASE_URL ?? "";
    for (let nth = 0; nth < 4; nth++) pools.push(openPool({ url, poolMax: 8, onIdleError }));
    const values = Array.from({ length: 400 }, () => newId("nonce"));
    const input = pools.flatMap((open, nth) => {
      const instance = createPostgresCounters(open);
      // Each in an order of its own.
      const turned = nth % 2 === 0 ? values : values.toReversed();
      return turned.map(async (value, place) => {
        const isFresh =
          place % 5 === nth
            ? await claimNonce(open, shown(value))
            : (await instance.admit(asking(value))).fresh;
        return isFresh ? [value] : [];
      });
    });
    const accepted = (await Promise.all(input)).flat();
    expect(accepted.toSorted()).toEqual(values.toSorted());
    const { rows } = await pool.query(
      "SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()",
    );
    expect(rows).toEqual([{ deadlocks: 0 }]);
  });
});

describe("a nonce", () => {
  test("goes once it can no longer be accepted, and no sooner", async () => {
    await put(later(-1));
    await put(testNow);
    const kept = await put(later(1));
    expect(await sweepNonces(db, testNow)).toBe(2);
    expect(await nonces()).toEqual([kept]);
    expect(await sweepNonces(db, testNow)).toBe(0);
    expect(await claimNonce(pool, shown(kept))).toBe(false);
  });

  test("stays where the clock of the instance that sweeps is ahead of the database's", async () => {
    const { rows } = await pool.query<{ now: Date }>("SELECT now()");
    const now = rows[0]?.now ?? testNow;
    const kept = await put(later(hourMs, now));
    await put(later(-1, now));
    expect(await sweepNonces(db, later(100 * windowSeconds * 1_000, now))).toBe(1);
    expect(await nonces()).toEqual([kept]);
  });

  test("goes a thousand at a time, and delays no other request", async () => {
    await pool.query(
      `INSERT INTO "Nonce" (did, nonce, "expiresAt") SELECT $1, 'old-' || n, $2 FROM generate_series(1, 1001) n`,
      [did, later(-1)],
    );
    const sweeping = sweepNonces(db, testNow);
    const beside = await Promise.all(
      Array.from({ length: 20 }, () => counters.admit(asking(newId("nonce")))),
    );
    expect(beside.every(({ fresh }) => fresh)).toBe(true);
    expect(await sweeping).toBe(1_000);
    expect(await sweepNonces(db, testNow)).toBe(1);
  });
});

describe("a window of admissions", () => {
  const sweptAt = later(2 * hourMs);

  async function hitsOf(caller: string): Promise<number | null> {
    const { rows } = await pool.query<{ hits: number[] }>(
      `SELECT hits FROM "RateWindow" WHERE caller = $1`,
      [caller],
    );
    return rows[0]?.hits.reduce((sum, hits) => sum + hits) ?? null;
  }

  function input(limit = 2, at = testNow): AdmissionRequest {
    return { caller: newId("caller"), class: "profile", limit, at };
  }

  test("goes an hour after its last hit left it, and is made again when its caller returns", async () => {
    const [gone, back] = [input(), input()];
    for (const one of [gone, back, back]) await counters.admit(one);
    await sweepWindows(db, later(2 * hourMs - 1));
    expect(await hitsOf(gone.caller)).toBe(1);
    await sweepWindows(db, sweptAt);
    expect([await hitsOf(gone.caller), await hitsOf(back.caller)]).toEqual([null, null]);
    const again = await counters.admit({ ...back, at: sweptAt });
    expect(again).toMatchObject({ admitted: true, standing: { remaining: 1 } });
  });

  test("stays while a hit of it does", async () => {
    const one = input();
    await counters.admit(one);
    await counters.admit({ ...one, at: later(1) });
    await sweepWindows(db, sweptAt);
    expect(await hitsOf(one.caller)).toBe(2);
  });

  test("is left alone while somebody is being admitted, and nobody waits", async () => {
    const one = input();
    await counters.admit(one);
    const admitting = await pool.connect();
    await admitting.query("BEGIN");
    await admitting.query(`SELECT FROM "RateWindow" WHERE caller = $1 FOR UPDATE`, [one.caller]);
    await sweepWindows(db, sweptAt);
    await admitting.query("COMMIT");
    admitting.release();
    expect(await hitsOf(one.caller)).toBe(1);
  });

  test("swept over and over under load lets in exactly what each hour's limit allows", async () => {
    const callers = Array.from({ length: 8 }, () => input(25));
    for (let hour = 0; hour < 4; hour++) {
      const at = later(3 * hour * hourMs);
      let admitting = true;
      const sweeping = (async () => {
        while (admitting) await sweepWindows(db, at);
      })();
      const answers = await Promise.all(
        callers.flatMap((one) => Array.from({ length: 40 }, () => counters.admit({ ...one, at }))),
      );
      admitting = false;
      await sweeping;
      expect(answers.filter(({ admitted }) => admitted)).toHaveLength(8 * 25);
    }
  });
});
