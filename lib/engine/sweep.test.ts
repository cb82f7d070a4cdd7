import type { Pool } from "pg";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { testEngine, testNow } from "@/tests/support/harness";
import { type AdmissionRequest, windowSeconds } from "./counters/counters";
import { claimNonce, createPostgresCounters } from "./counters/counters-postgres";
import { openPool } from "./db";
import { newId } from "./random";
import { sweepNonces, sweepRateHits } from "./sweep";

const { counters, env, pool } = await testEngine();
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

async function slots(): Promise<number[]> {
  const { rows } = await pool.query<{ slot: number }>(
    `SELECT slot FROM "Nonce" GROUP BY slot ORDER BY slot`,
  );
  return rows.map(({ slot }) => slot);
}

async function put(slot: number, until: Date): Promise<string> {
  const value = newId("nonce");
  await pool.query(`INSERT INTO "Nonce" (slot, did, nonce, "expiresAt") VALUES ($1, $2, $3, $4)`, [
    slot,
    did,
    value,
    until,
  ]);
  return value;
}

/** What chooses the slot from here on, instead of the time. */
async function takeSlots(expression: string): Promise<void> {
  await pool.query(
    `CREATE OR REPLACE FUNCTION nonce_slot() RETURNS smallint LANGUAGE sql AS
     'SELECT (${expression})::smallint'`,
  );
}

beforeEach(async () => {
  await pool.query(`TRUNCATE "Nonce"`);
});

describe("a nonce is claimed once, whatever slots it is shown in", () => {
  const pools: Pool[] = [];
  afterAll(() => Promise.all(pools.map((open) => open.end())));

  test("by the next slot's time", async () => {
    const value = await put(0, later(hourMs));
    for (const slot of [1, 2, 3]) {
      await takeSlots(`${slot}`);
      expect(await claimNonce(pool, shown(value))).toBe(false);
      expect(await counters.admit(asking(value))).toMatchObject({ fresh: false });
    }
    expect(await slots()).toEqual([0]);
    expect(await claimNonce(pool, shown(newId("nonce")))).toBe(true);
    expect(await slots()).toEqual([0, 3]);
  });

  test("by two that have not seen each other's yet: the second waits for the first", async () => {
    const value = newId("nonce");
    await takeSlots("0");
    const first = await pool.connect();
    await first.query("BEGIN");
    await first.query("SELECT claim_nonces(ARRAY[$1], ARRAY[$2], ARRAY[now()])", [did, value]);
    await takeSlots("1");
    const second = counters.admit(asking(value));
    const third = claimNonce(pool, shown(value));
    await first.query("COMMIT");
    first.release();
    expect(await second).toMatchObject({ fresh: false });
    expect(await third).toBe(false);
  });

  test("and by nobody who does not claim it", async () => {
    const claiming = pool.query(
      `INSERT INTO "Nonce" (did, nonce, "expiresAt") VALUES ($1, $2, now()) ON CONFLICT DO NOTHING`,
      [did, newId("nonce")],
    );
    await expect(claiming).rejects.toThrow();
    expect(await slots()).toEqual([]);
  });

  test("by four instances at once, many at a time and one by one, while slots turn all the time", async () => {
    await takeSlots("floor(random() * 4)");
    const onIdleError = (error: Error) => expect.unreachable(error.message);
    const url = env.DATABASE_URL ?? "";
    for (let nth = 0; nth < 4; nth++) pools.push(openPool({ url, poolMax: 8, onIdleError }));
    const values = Array.from({ length: 400 }, () => newId("nonce"));
    const asked = pools.flatMap((open, nth) => {
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
    const accepted = (await Promise.all(asked)).flat();
    expect(accepted.toSorted()).toEqual(values.toSorted());
    expect(await slots()).toEqual([0, 1, 2, 3]);
    const { rows } = await pool.query(
      "SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()",
    );
    expect(rows).toEqual([{ deadlocks: 0 }]);
  });
});

describe("a slot of nonces", () => {
  test("goes as a whole once nothing in it can be accepted any more", async () => {
    await put(0, later(-1));
    await put(0, testNow);
    await put(1, later(1));
    await put(2, later(-1));
    expect(await sweepNonces(pool, testNow)).toBe(2);
    expect(await slots()).toEqual([1]);
    expect(await sweepNonces(pool, testNow)).toBe(0);
  });

  test("stays whole while one in it could still be shown", async () => {
    for (let nth = 0; nth < 20; nth++) await put(3, later(-hourMs));
    const value = await put(3, later(1));
    expect(await sweepNonces(pool, testNow)).toBe(0);
    expect(await claimNonce(pool, shown(value))).toBe(false);
  });

  test("stays where the clock of the instance that sweeps is ahead of the database's", async () => {
    const { rows } = await pool.query<{ now: Date }>("SELECT now()");
    const now = rows[0]?.now ?? testNow;
    await put(0, later(hourMs, now));
    await put(1, later(-1, now));
    expect(await sweepNonces(pool, later(100 * windowSeconds * 1_000, now))).toBe(1);
    expect(await slots()).toEqual([0]);
  });

  test("is left for the next turn where it is in use, and holds up nobody meanwhile", async () => {
    await takeSlots("1");
    await put(0, later(-1));
    const long = await pool.connect();
    await long.query("BEGIN");
    await long.query(`SELECT count(*) FROM "Nonce"`);
    const sweeping = sweepNonces(pool, testNow);
    const beside = await Promise.all(
      Array.from({ length: 20 }, () => counters.admit(asking(newId("nonce")))),
    );
    expect(await sweeping).toBe(0);
    expect(beside.every(({ fresh }) => fresh)).toBe(true);
    await long.query("COMMIT");
    long.release();
    expect(await sweepNonces(pool, testNow)).toBe(1);
  });
});

describe("a window of admissions", () => {
  const sweptAt = later(2 * hourMs);

  async function windowOf(caller: string) {
    const { rows } = await pool.query<{ oldest: number; next: number }>(
      `SELECT oldest::int, next::int FROM "RateWindow" WHERE caller = $1`,
      [caller],
    );
    return rows[0] ?? null;
  }

  async function sweepAll(now: Date): Promise<void> {
    while ((await sweepRateHits(pool, now)) > 0);
  }

  function asked(limit = 2, at = testNow): AdmissionRequest {
    return { caller: newId("caller"), class: "profile", limit, at };
  }

  test("goes with the last of its hits, and is made anew when its caller comes again", async () => {
    const [gone, back] = [asked(), asked()];
    for (const one of [gone, back, back]) await counters.admit(one);
    await sweepAll(later(2 * hourMs - 1));
    expect(await windowOf(gone.caller)).toEqual({ oldest: 0, next: 1 });
    await sweepAll(sweptAt);
    expect([await windowOf(gone.caller), await windowOf(back.caller)]).toEqual([null, null]);
    const again = await counters.admit({ ...back, at: sweptAt });
    expect(again).toMatchObject({ admitted: true, standing: { remaining: 1 } });
  });

  test("stays while a hit of it does", async () => {
    const one = asked();
    await counters.admit(one);
    await counters.admit({ ...one, at: later(1) });
    await sweepAll(sweptAt);
    expect(await windowOf(one.caller)).toMatchObject({ next: 2 });
  });

  test("is left alone while somebody is being admitted, and nobody waits", async () => {
    const one = asked();
    await counters.admit(one);
    const admitting = await pool.connect();
    await admitting.query("BEGIN");
    await admitting.query(`SELECT FROM "RateWindow" WHERE caller = $1 FOR UPDATE`, [one.caller]);
    await sweepAll(sweptAt);
    await admitting.query("COMMIT");
    admitting.release();
    expect(await windowOf(one.caller)).toMatchObject({ next: 1 });
  });

  test("swept over and over under load lets in exactly what each hour's limit allows", async () => {
    const callers = Array.from({ length: 8 }, () => asked(25));
    for (let hour = 0; hour < 4; hour++) {
      const at = later(3 * hour * hourMs);
      let admitting = true;
      const sweeping = (async () => {
        while (admitting) await sweepRateHits(pool, at);
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
