import { beforeEach, describe, expect, test } from "vitest";
import { testEngine, testNow } from "@/tests/support/harness";
import { eventsOf, mintAgent, mintOwner, type Owner } from "@/tests/support/personas";
import { sealEvents } from "./seal-events";
import { verifyLog } from "./verify-log";

const engine = await testEngine({ LIMIT_PROFILE: "1000" });
let owner: Owner;

// Three events, sealed in two batches; then what a test does to them, past the trigger that forbids it.
beforeEach(async () => {
  owner = await mintOwner(engine);
  const agent = await mintAgent(engine);
  const read = () => agent.client.getProfile({ did: owner.did });
  await read();
  await sealAll();
  await read();
  await read();
  await sealAll();
});

async function sealAll(): Promise<void> {
  while ((await sealEvents(engine.db, testNow)) > 0);
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

test("every event gets its place in its profile's chain, and the chain verifies", async () => {
  const events = await eventsOf(engine, owner.profileId);
  expect(events.map(({ position }) => position).sort()).toEqual([1n, 2n, 3n]);
  expect(await verifyLog(engine, owner.profileId)).toEqual({
    intact: true,
    sealed: 3,
    unsealed: 0,
    dropped: 0,
    broken: null,
  });
});

test("sealing from two sides at once seals each event once", async () => {
  const agent = await mintAgent(engine);
  await Promise.all(Array.from({ length: 20 }, () => agent.client.getProfile({ did: owner.did })));
  await Promise.all([sealEvents(engine.db, testNow), sealEvents(engine.db, testNow)]);
  await sealAll();
  expect(await verifyLog(engine, owner.profileId)).toMatchObject({ intact: true, sealed: 23 });
});

describe("the first broken event is named", () => {
  test("when a word of it was changed", async () => {
    await tamper(`UPDATE "AccessEvent" SET outcome = 'PROF004' ${where()} AND position = 2`);
    const { intact, broken } = await verifyLog(engine, owner.profileId);
    expect(intact).toBe(false);
    expect(broken).toMatchObject({ position: 2, eventId: expect.stringMatching(/^evt_/) });
  });

  test("when one was taken out of the middle", async () => {
    await tamper(`DELETE FROM "AccessEvent" ${where()} AND position = 2`);
    const { broken } = await verifyLog(engine, owner.profileId);
    expect(broken).toMatchObject({ position: 2 });
  });

  test("when the end was cut off", async () => {
    await tamper(`DELETE FROM "AccessEvent" ${where()} AND position >= 2`);
    const { broken } = await verifyLog(engine, owner.profileId);
    expect(broken).toEqual({ position: 2, eventId: null });
  });

  test("when an event and all hashes after it were made again", async () => {
    await tamper(`UPDATE "AccessEvent" SET outcome = 'x', hash = NULL, position = NULL
                  ${where()} AND position >= 2`);
    await tamper(`DELETE FROM "AccessEvent" ${where()} AND position IS NULL`);
    const { intact } = await verifyLog(engine, owner.profileId);
    expect(intact).toBe(false);
  });
});

describe("append-only", () => {
  test.each([
    ["changed", `UPDATE "AccessEvent" SET outcome = 'x'`],
    ["unsealed", `UPDATE "AccessEvent" SET hash = NULL, position = NULL`],
    ["moved to another place", `UPDATE "AccessEvent" SET position = position + 1`],
    ["deleted", `DELETE FROM "AccessEvent"`],
    ["truncated", `TRUNCATE "AccessEvent"`],
  ])("the database refuses that events are %s", async (_what, statement) => {
    await expect(engine.pool.query(statement)).rejects.toThrow(/append-only/);
  });
});
