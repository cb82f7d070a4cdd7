import { beforeEach, describe, expect, test } from "vitest";
import { configured, testEngine, testNow } from "@/tests/support/harness";
import { eventsOf, mintOwner, type Owner, signedIn } from "@/tests/support/personas";
import { loadEvents } from "../activity/load-events";
import { contextOf } from "../context";
import { deleteProfile } from "../erasure/delete-profile";
import { dropEvents } from "./drop-events";
import { hashOf } from "./event-chain";
import { record } from "./record";
import { sealEvents } from "./seal-events";
import { verifyLog } from "./verify-log";

const engine = await testEngine();
const keeping = configured(engine, { ACCESS_EVENTS_DAYS: 30 });
const dayMs = 24 * 60 * 60_000;
let owner: Owner;

// Four events, sealed one by one: of 40, 35, 31 and 5 days ago.
beforeEach(async () => {
  await engine.db.job.deleteMany();
  owner = await mintOwner(engine);
  for (const ago of [40, 35, 31, 5]) {
    await happened(ago);
    await sealAll();
  }
});

async function happened(daysAgo: number): Promise<void> {
  const ctx = { ...signedIn(engine, owner), now: new Date(testNow.getTime() - daysAgo * dayMs) };
  const profile = { id: owner.profileId, did: owner.did, ownerId: owner.userId, state: "active" };
  await record(engine.db, {
    ctx,
    profile: { ...profile, state: "active" },
    event: { verb: "readActivity" },
  });
}

async function sealAll(): Promise<void> {
  while ((await sealEvents(engine.db, testNow)) > 0);
}

async function dropAll(): Promise<void> {
  while ((await dropEvents(keeping)) > 0);
}

async function places(): Promise<[string, number | null][]> {
  const events = await eventsOf(engine, owner.profileId);
  return events
    .map(({ verb, position }): [string, number | null] => [
      verb,
      position === null ? null : Number(position),
    ])
    .sort(([, a], [, b]) => (a ?? 99) - (b ?? 99));
}

async function tamper(statement: string): Promise<void> {
  const client = await engine.pool.connect();
  try {
    await client.query("BEGIN");
    await client.query(`SET LOCAL gateway.erasing = '${owner.profileId}'`);
    await client.query(statement);
    await client.query("COMMIT");
  } finally {
    client.release();
  }
}

const where = () => `WHERE "profileId" = ${owner.profileId}`;

describe("events beyond their retention", () => {
  test("goes, an event of the log says through where, and the rest verifies from there", async () => {
    await dropAll();
    expect(await places()).toEqual([
      ["readActivity", 4],
      ["dropEvents", null],
    ]);
    expect(await verifyLog(engine, owner.profileId)).toEqual({
      intact: true,
      sealed: 1,
      unsealed: 1,
      dropped: 3,
      broken: null,
    });
    await sealAll();
    expect(await verifyLog(engine, owner.profileId)).toMatchObject({
      intact: true,
      sealed: 2,
    });
    const said = (await eventsOf(engine, owner.profileId)).find(
      ({ verb }) => verb === "dropEvents",
    );
    expect(said).toMatchObject({ actor: "system", actorId: "gateway", detail: { through: 3 } });
  });

  test("is dropped once a day at most, and word of a drop is no reason for another", async () => {
    await dropAll();
    await sealAll();
    await dropAll();
    expect(await places()).toHaveLength(2);
    engine.setNow(new Date(testNow.getTime() + 31 * dayMs));
    await dropAll();
    await sealAll();
    await dropAll();
    expect(await places()).toEqual([["dropEvents", 6]]);
    expect(await verifyLog(engine, owner.profileId)).toMatchObject({
      intact: true,
      dropped: 5,
    });
    engine.setNow(new Date(testNow.getTime() + 90 * dayMs));
    await dropAll();
    expect(await places()).toEqual([["dropEvents", 6]]);
    engine.setNow(testNow);
  });

  test("goes only up to a seal, and never what is not sealed", async () => {
    const other = await mintOwner(engine);
    owner = other;
    await happened(40);
    await happened(5);
    await sealAll();
    await happened(45);
    await dropAll();
    expect((await places()).map(([, position]) => position)).toEqual([1, 2, null]);
  });

  test("goes once when two drop at once", async () => {
    await Promise.all([dropEvents(keeping), dropEvents(keeping), dropEvents(keeping)]);
    expect((await places()).filter(([verb]) => verb === "dropEvents")).toHaveLength(1);
  });

  test("stays where the setting keeps it", async () => {
    while ((await dropEvents(engine)) > 0);
    expect(await places()).toHaveLength(4);
  });

  test("leaves an export that can be checked: the hash before the first event is the one named", async () => {
    await dropAll();
    const { pool } = engine;
    const input = { profileId: owner.profileId, order: "oldest", limit: 10 } as const;
    const {
      rows: [first],
    } = await loadEvents(pool, input);
    const said = (await eventsOf(engine, owner.profileId)).find(
      ({ verb }) => verb === "dropEvents",
    );
    expect(said?.detail).toMatchObject({ hash: first?.hashBefore?.toString("hex") });
    const [event] = await engine.db.accessEvent.findMany({ where: { id: first?.id } });
    if (event === undefined || first?.hashBefore == null) throw new Error("nothing is left");
    expect(hashOf({ before: first.hashBefore, position: 4n, event })).toEqual(first.hash);
  });

  test("does not keep the rest of the log from being erased", async () => {
    await dropAll();
    await sealAll();
    await tamper(`UPDATE "AccessEvent" SET position = position + 50000 ${where()}`);
    await deleteProfile(signedIn(engine, owner), owner);
    expect(await eventsOf(engine, owner.profileId)).toEqual([]);
  });
});

describe("while a log is verified in pieces", () => {
  const old = 80;

  // More old ones than the first piece has, and three that stay.
  beforeEach(async () => {
    owner = await mintOwner(engine);
    for (let at = 0; at < old; at++) await happened(40);
    await sealAll();
    for (const ago of [5, 4, 3]) await happened(ago);
    await sealAll();
  });

  /** Does something once, before or after the first piece is read. */
  async function verifiedWith(place: "before" | "after", act: () => Promise<void>) {
    let isDone = false;
    const once = async (at: typeof place) => {
      if (isDone || at !== place) return;
      isDone = true;
      await act();
    };
    return verifyLog(engine, owner.profileId, async (read) => {
      await once("before");
      const piece = await read();
      await once("after");
      return piece;
    });
  }

  test.each(["before", "after"] as const)(
    "what is dropped %s its first piece is not taken for tampering",
    async (place) => {
      expect(await verifiedWith(place, dropAll)).toMatchObject({
        intact: true,
        sealed: 3,
        dropped: old,
        broken: null,
      });
    },
  );

  test.each([
    ["changed", `UPDATE "AccessEvent" SET outcome = 'x'`, old + 2],
    ["deleted", `DELETE FROM "AccessEvent"`, old + 2],
  ])("what is %s behind a drop is found", async (_how, statement, position) => {
    const { intact, broken } = await verifiedWith("after", async () => {
      await dropAll();
      await tamper(`${statement} ${where()} AND position = ${position}`);
    });
    expect([intact, broken?.position]).toEqual([false, position]);
  });

  test("finds a deletion that no event announces", async () => {
    const { intact, broken } = await verifiedWith("after", () =>
      tamper(`DELETE FROM "AccessEvent" ${where()} AND position <= ${old}`),
    );
    expect([intact, broken?.position]).toEqual([false, 65]);
  });

  test("what is sealed after it began is verified with the rest", async () => {
    const seal = async () => {
      await happened(2);
      await sealAll();
    };
    expect(await verifiedWith("after", seal)).toMatchObject({ intact: true, sealed: old + 4 });
  });
});

describe("more logs than one run can check", () => {
  const logs = 120;

  // Each with an event that has to go, and its seal.
  beforeEach(async () => {
    const { pool } = engine;
    await pool.query(
      `INSERT INTO "Profile" (did, "ownerId", "createdAt", "updatedAt")
       SELECT $1 || n, $2, now(), now() FROM generate_series(1, $3::int) n`,
      [`${owner.did}-`, owner.userId, logs],
    );
    await pool.query(
      `WITH old AS (
         INSERT INTO "AccessEvent" (id, "profileId", at, actor, "actorId", verb, outcome, "requestId", position, hash)
         SELECT 'evt_old' || id, id, $2, 'system', 'gateway', 'getProfile', 'ok', 'req', 1, sha256(did::bytea)
         FROM "Profile" WHERE did LIKE $1 RETURNING "profileId", hash)
       INSERT INTO "Seal" ("profileId", position, hash, "sealedAt") SELECT "profileId", 1, hash, $2 FROM old`,
      [`${owner.did}-%`, new Date(testNow.getTime() - 90 * dayMs)],
    );
    return () => engine.setNow(testNow);
  });

  async function oldOnes(): Promise<number> {
    return engine.db.accessEvent.count({ where: { id: { startsWith: "evt_old" } } });
  }

  test("each has its turn, also where a walk through all of them takes days", async () => {
    for (let day = 0; day < 6; day++) {
      engine.setNow(new Date(testNow.getTime() + day * dayMs));
      await dropEvents(keeping);
    }
    expect(await oldOnes()).toBe(0);
    expect((await places()).map(([verb]) => verb)).toContain("dropEvents");
  });

  test("one that cannot be dropped is told of, and holds up none of those behind it", async () => {
    const { pool } = engine;
    const [first] = await engine.db.profile.findMany({
      where: { did: { startsWith: `${owner.did}-` } },
      orderBy: { id: "asc" },
    });
    await pool.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not this one'; END $$`,
    );
    await pool.query(
      `CREATE TRIGGER aside BEFORE DELETE ON "AccessEvent" FOR EACH ROW
       WHEN (OLD."profileId" = ${first?.id}) EXECUTE FUNCTION refuse()`,
    );
    await expect(dropAll()).rejects.toThrow("not this one");
    await dropAll();
    expect(await oldOnes()).toBe(1);
    await pool.query(`DROP TRIGGER aside ON "AccessEvent"; DROP FUNCTION refuse`);
    engine.setNow(new Date(testNow.getTime() + dayMs));
    await dropAll();
    expect(await oldOnes()).toBe(0);
  });
});

describe("tampering is found behind a drop as well", () => {
  beforeEach(async () => {
    await happened(4);
    await sealAll();
    await dropAll();
    await sealAll();
  });

  test.each([
    [
      "an event that is left was changed",
      `UPDATE "AccessEvent" SET outcome = 'x'`,
      "AND position = 4",
      4,
    ],
    ["the first that is left was deleted", `DELETE FROM "AccessEvent"`, "AND position = 4", 4],
    ["the word of the drop was deleted", `DELETE FROM "AccessEvent"`, `AND verb = 'dropEvents'`, 1],
    [
      "the word of the drop was changed",
      `UPDATE "AccessEvent" SET detail = '{"through": 4}'`,
      `AND verb = 'dropEvents'`,
      1,
    ],
    ["the end was cut off", `DELETE FROM "AccessEvent"`, `AND position = 6`, 1],
  ])("%s", async (_what, statement, narrowed, position) => {
    await tamper(`${statement} ${where()} ${narrowed}`);
    const { intact, broken } = await verifyLog(engine, owner.profileId);
    expect([intact, broken?.position]).toEqual([false, position]);
  });

  test("an event was put in where others were dropped", async () => {
    await engine.pool.query(
      `INSERT INTO "AccessEvent" (id, "profileId", at, actor, "actorId", verb, outcome, "requestId", position, hash)
       VALUES ('evt_forged' || $1, $1::int, $2, 'system', 'gateway', 'getProfile', 'ok', 'req', 2, '\\x00')`,
      [owner.profileId, testNow],
    );
    const { intact } = await verifyLog(engine, owner.profileId);
    expect(intact).toBe(false);
  });
});

describe("the database", () => {
  test("lets nothing go that no event of the same log has named", async () => {
    const [event] = await eventsOf(engine, owner.profileId);
    const ctx = contextOf(engine, { kind: "gateway" });
    const profile = { id: owner.profileId, did: owner.did, ownerId: owner.userId } as const;
    const draft = { verb: "dropEvents", detail: { through: 2, hash: "" } };
    const said = await record(engine.db, {
      ctx,
      profile: { ...profile, state: "active" },
      event: draft,
    });
    const attempt = async (id: string | undefined, narrowed: string) => {
      const client = await engine.pool.connect();
      try {
        await client.query("BEGIN");
        await client.query("SELECT set_config('gateway.retaining', $1, true)", [id]);
        await client.query(`DELETE FROM "AccessEvent" ${where()} ${narrowed}`);
      } finally {
        await client.query("ROLLBACK");
        client.release();
      }
    };
    await attempt(said, "AND position <= 2");
    await expect(attempt(said, "AND position = 3")).rejects.toThrow(/append-only/);
    await expect(attempt(said, "AND position IS NULL")).rejects.toThrow(/append-only/);
    await expect(attempt(event?.id, "AND position = 1")).rejects.toThrow(/append-only/);
    const other = await mintOwner(engine);
    const theirs = await record(engine.db, {
      ctx,
      profile: { id: other.profileId, did: other.did, ownerId: other.userId, state: "active" },
      event: draft,
    });
    await expect(attempt(theirs, "AND position = 1")).rejects.toThrow(/append-only/);
  });
});
