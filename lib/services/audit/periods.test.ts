import { beforeEach, describe, expect, test } from "vitest";
import { configured, testEngine, testNow } from "@/tests/support/harness";
import { eventsOf, giveEvent, mintOwner, type Owner } from "@/tests/support/personas";
import { loadEvents } from "../activity/load-events";
import { dropEvents, keptSince } from "./drop-events";
import { dropEmptyPeriods, keepPeriods, makePeriods } from "./periods";
import { sealEvents } from "./seal-events";
import { verifyLog } from "./verify-log";

const engine = await testEngine();
const { pool } = engine;
const keeping = configured(engine, { ACCESS_EVENTS_DAYS: 30 });
const agent = "did:prof:agent:local:iris";
const december = new Date("2025-12-10T00:00:00Z");
let owner: Owner;

// From December on and nothing before, as if the release that made months had been there then.
beforeEach(async () => {
  for (const name of await partitions()) await pool.query(`DROP TABLE "AccessEvent_${name}"`);
  await pool.query(`CREATE TABLE "AccessEvent_else" PARTITION OF "AccessEvent" DEFAULT`);
  await pool.query(
    `CREATE TRIGGER "AccessEvent_no_truncate" BEFORE TRUNCATE ON "AccessEvent_else"
     FOR EACH STATEMENT EXECUTE FUNCTION "keepAccessEvent"()`,
  );
  await pool.query(`DELETE FROM "Seal"`);
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  await Promise.all([1, 2, 3].map(() => makeMonths(december)));
  await makeMonths(december);
});

function makeMonths(now: Date): Promise<number> {
  return makePeriods(pool, { now, days: 731 });
}

async function happened(...instants: string[]): Promise<void> {
  for (const at of instants) {
    await giveEvent(engine, { profileId: owner.profileId, actorId: agent, at: new Date(at) });
    while ((await sealEvents(pool, testNow)) > 0);
  }
}

async function partitions(): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
     WHERE inhparent = '"AccessEvent"'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name.slice("AccessEvent_".length));
}

async function placesOf(profileId: number): Promise<string[]> {
  const { rows } = await pool.query<{ place: string }>(
    `SELECT tableoid::regclass::text AS place FROM "AccessEvent" WHERE "profileId" = $1 ORDER BY at`,
    [profileId],
  );
  return rows.map(({ place }) => place.replaceAll('"', "").slice("AccessEvent_".length));
}

const winter = ["2025_12", "2026_01", "2026_02", "2026_03"];

describe("months", () => {
  test("are made once, this one and three ahead, also by several at once", async () => {
    expect(await partitions()).toEqual([...winter, "else"]);
    expect(await makeMonths(december)).toBe(0);
  });

  test("are years where events are kept for longer, and begin where the months end", async () => {
    const kept = { now: new Date("2026-11-01T00:00:00Z"), days: 732 };
    expect(await makePeriods(pool, kept)).toBe(2);
    expect(await makePeriods(pool, kept)).toBe(0);
    await happened(
      "2026-03-31T23:59:59.999Z",
      "2026-04-01T00:00:00.000Z",
      "2027-12-31T23:59:59.999Z",
      "2028-01-01T00:00:00.000Z",
    );
    expect(await placesOf(owner.profileId)).toEqual(["2026_03", "2026_04", "2027_01", "else"]);
    // Changed back, months begin where the years end.
    expect(await makeMonths(new Date("2027-06-01T00:00:00Z"))).toBe(0);
    expect(await makeMonths(new Date("2027-12-01T00:00:00Z"))).toBe(2);
  });

  test("take what happened in them, to the instant; the rest goes to no month and is not lost", async () => {
    await happened(
      "2025-11-30T23:59:59.999Z",
      "2025-12-01T00:00:00.000Z",
      "2026-02-28T23:59:59.999Z",
      "2026-03-01T00:00:00.000Z",
      "2026-04-01T00:00:00.000Z",
    );
    expect(await placesOf(owner.profileId)).toEqual([
      "else",
      "2025_12",
      "2026_02",
      "2026_03",
      "else",
    ]);
    expect(await verifyLog(pool, owner.profileId)).toMatchObject({ intact: true, sealed: 5 });
    const asked = { profileId: owner.profileId, order: "newest", limit: 10 } as const;
    const { rows: shown } = await loadEvents(pool, asked);
    expect(shown.map(({ position }) => Number(position))).toEqual([5, 4, 3, 2, 1]);
  });

  test("are not made where events of theirs stand among the rest already, and the next ones are", async () => {
    await happened("2026-04-30T12:00:00Z");
    expect(await makeMonths(testNow)).toBe(2);
    expect(await partitions()).toEqual([...winter, "2026_05", "2026_06", "else"]);
    expect(await placesOf(owner.profileId)).toEqual(["else"]);
    expect(await verifyLog(pool, owner.profileId)).toMatchObject({ intact: true, sealed: 1 });
  });

  test("that are missing are a failure of the job, a week before they are needed", async () => {
    const kept = (day: string) => keepPeriods(pool, { now: new Date(day), days: 731 });
    await happened("2026-05-30T12:00:00Z");
    expect(await kept("2026-04-23T12:00:00Z")).toBe(3);
    await expect(kept("2026-04-24T12:00:00Z")).rejects.toThrow("2026-05 have no partition");
    await expect(kept("2026-05-24T12:00:00Z")).rejects.toThrow("2026-05 have no partition");
    expect(await kept("2026-06-01T00:00:00Z")).toBe(1);
  });

  test.each(["2026_01", "else"])("keep their events like the whole log does: %s", async (month) => {
    const truncate = pool.query(`TRUNCATE "AccessEvent_${month}"`);
    await expect(truncate).rejects.toThrow(/append-only/);
    await happened("2026-01-10T00:00:00Z", "2027-01-10T00:00:00Z");
    for (const change of [
      `UPDATE "AccessEvent_${month}" SET outcome = 'x'`,
      `DELETE FROM "AccessEvent_${month}"`,
    ]) {
      await expect(pool.query(change)).rejects.toThrow(/append-only/);
    }
  });
});

describe("what is older than it is kept", () => {
  const before = new Date("2026-02-01T00:00:00Z");

  test("takes its month along once nobody has an event in it", async () => {
    await happened("2025-12-20T00:00:00Z", "2026-01-10T00:00:00Z", "2026-02-20T00:00:00Z");
    engine.setNow(new Date("2026-02-20T12:00:00Z"));
    while ((await dropEvents(keeping)) > 0);
    expect(await dropEmptyPeriods(pool, keptSince(keeping))).toBe(1);
    expect(await partitions()).not.toContain("2025_12");
    // The 21st of January is kept.
    expect(await partitions()).toContain("2026_01");
    const events = await eventsOf(engine, owner.profileId);
    expect(events.map(({ verb }) => verb)).toEqual(["getProfile", "dropEvents"]);
    expect(await verifyLog(pool, owner.profileId)).toMatchObject({ intact: true, dropped: 2 });
  });

  test("is left for the next turn while somebody reads, who is not disturbed", async () => {
    await dropEmptyPeriods(pool, new Date("2026-01-01T00:00:00Z"));
    const reading = await pool.connect();
    await reading.query("BEGIN");
    const seen = await reading.query(`SELECT count(*) FROM "AccessEvent"`);
    expect(await dropEmptyPeriods(pool, before)).toBe(0);
    expect((await reading.query(`SELECT count(*) FROM "AccessEvent"`)).rows).toEqual(seen.rows);
    await reading.query("COMMIT");
    reading.release();
    expect(await dropEmptyPeriods(pool, before)).toBe(1);
    expect(await partitions()).toEqual(["2026_02", "2026_03", "else"]);
  });

  test("is left for the next turn also where nobody may even look whether its month is empty", async () => {
    const holding = await pool.connect();
    await holding.query("BEGIN");
    await holding.query(`LOCK TABLE "AccessEvent_2026_01"`);
    expect(await dropEmptyPeriods(pool, before)).toBe(1);
    await holding.query("COMMIT");
    holding.release();
    expect(await partitions()).toEqual(["2026_01", "2026_02", "2026_03", "else"]);
  });

  test("never goes with its month while it is there", async () => {
    await happened("2026-02-10T00:00:00Z");
    expect(await dropEmptyPeriods(pool, new Date("2026-03-01T00:00:00Z"))).toBe(2);
    expect(await placesOf(owner.profileId)).toEqual(["2026_02"]);
  });

  test("is not gone sooner where the clock of an instance is ahead of the database's", async () => {
    const { rows } = await pool.query<{ now: Date }>("SELECT now()");
    const month = (rows[0]?.now ?? testNow).toISOString().slice(0, 7).replace("-", "_");
    await makeMonths(rows[0]?.now ?? testNow);
    await dropEmptyPeriods(pool, new Date("2999-01-01T00:00:00Z"));
    expect(await partitions()).toContain(month);
  });
});
