import { beforeAll, describe, expect, test } from "vitest";
import { jsonEvent } from "@/app/dashboard/activity/export/json";
import { chunkBytesMax } from "@/lib/engine/load/chunks";
import { testEngine, testNow } from "@/tests/support/harness";
import { giveEvent, mintAgent, mintOwner, type Owner, signedIn } from "@/tests/support/personas";
import { exportActivity } from "../activity/export-activity";
import { listActivity } from "../activity/list-activity";
import { verifyActivity } from "../activity/verify-activity";
import { exportProfile } from "../archive/export";
import { sealEvents } from "./seal-events";

const engine = await testEngine();
let owner: Owner;

const count = 400;
const blockMsMax = 100;
const runs = 3;

// As long as agents can make them with names of categories.
beforeAll(async () => {
  owner = await mintOwner(engine);
  const agent = await mintAgent(engine);
  const names = Array.from({ length: 100 }, (_, at) => `prof:c${at}`.padEnd(64, "x"));
  const reasons = Object.fromEntries(
    names.map((name) => [name, { rule: "default", policyId: null }]),
  );
  await giveEvent(engine, {
    ...{
      profileId: owner.profileId,
      actor: "agent",
      actorId: agent.did,
      at: new Date(testNow.getTime() - 60_000),
    },
    ...{ granted: names, items: Object.fromEntries(names.map((name) => [name, 1])), reasons },
  });
  await engine.pool.query(
    `INSERT INTO "AccessEvent" (id, "profileId", at, actor, "actorId", verb, outcome, granted, items, reasons, "requestId")
     SELECT 'evt_heavy' || n, "profileId", at + n * interval '1 ms', actor, "actorId", verb, outcome, granted, items, reasons, "requestId"
     FROM "AccessEvent", generate_series(1, $2::int) n WHERE "profileId" = $1`,
    [owner.profileId, count - 1],
  );
});

/** How long the event loop was held at most, the best of some runs: other processes have their turns too. */
async function blockOf(work: () => Promise<unknown>): Promise<number> {
  const blocks: number[] = [];
  for (let run = 0; run < runs; run++) {
    let longest = 0;
    let before = performance.now();
    let ticking = setImmediate(function tick() {
      const now = performance.now();
      longest = Math.max(longest, now - before);
      before = now;
      ticking = setImmediate(tick);
    });
    await work();
    clearImmediate(ticking);
    blocks.push(longest);
  }
  return Math.min(...blocks);
}

// A piece may end with a whole event behind the bound, and is written as JSON once more.
const textMax = 1.5 * chunkBytesMax;

describe("a log that agents made heavy holds nobody up", () => {
  test("while it is sealed: a few events at a time have their seal", async () => {
    while ((await sealEvents(engine.db, testNow)) > 0);
    const { rows } = await engine.pool.query<{ bytes: number }>(
      `SELECT max(bytes)::int AS bytes FROM (
         SELECT sum(octet_length(e::text)) AS bytes FROM "AccessEvent" e CROSS JOIN LATERAL (
           SELECT min(position) AS seal FROM "Seal" s
           WHERE s."profileId" = e."profileId" AND s.position >= e.position) s
         WHERE e."profileId" = $1 GROUP BY s.seal) sealed`,
      [owner.profileId],
    );
    expect(rows[0]?.bytes).toBeLessThan(textMax);
  });

  test("while it is verified", async () => {
    const verify = async () => {
      const found = await verifyActivity(signedIn(engine, owner), owner.did);
      expect(found).toMatchObject({ intact: true, sealed: count });
    };
    expect(await blockOf(verify)).toBeLessThan(blockMsMax);
  });

  test("while it is exported", async () => {
    const input = { did: owner.did, format: "json" };
    let events = 0;
    for await (const piece of await exportActivity(signedIn(engine, owner), input)) {
      events += piece.length;
      expect(piece.map(jsonEvent).join().length).toBeLessThan(textMax);
    }
    expect(events).toBe(count);
  });

  test("while it is exported with its profile", async () => {
    for await (const text of await exportProfile(signedIn(engine, owner), owner)) {
      expect(text.length).toBeLessThan(textMax);
    }
  });
});

test("a page of a heavy log says where the next one goes on", async () => {
  const ctx = signedIn(engine, owner);
  const ids: string[] = [];
  let after: Parameters<typeof listActivity>[1]["after"];
  do {
    const page = await listActivity(ctx, { did: owner.did, limit: 100, after });
    expect(page.events.length).toBeGreaterThan(0);
    ids.push(...page.events.map(({ id }) => id));
    after = page.next ?? undefined;
  } while (after !== undefined && ids.length <= 2 * count);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThanOrEqual(count);
});
