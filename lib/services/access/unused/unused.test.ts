import { beforeEach, describe, expect, test } from "vitest";
import { configured, testEngine, testNow } from "@/tests/support/harness";
import {
  type EventGiven,
  giveEvent,
  giveMemory,
  givePolicy,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  type PolicyGiven,
  signedIn,
} from "@/tests/support/personas";
import { dropEvents } from "../../audit/drop-events";
import { sealEvents } from "../../audit/seal-events";
import { removePolicy } from "../../policies/remove";
import { findUnused } from "./find-unused";

const engine = await testEngine();
let owner: Owner;
let agent: Minted;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  agent = await mintAgent(engine);
  await giveMemory(engine, owner.profileId, { category: "prof:health.sleep" });
});

const daysAgo = (days: number) => new Date(testNow.getTime() - days * 24 * 60 * 60_000);

function rule(given: PolicyGiven = {}, days = 90) {
  return givePolicy(engine, owner.profileId, {
    ...{ agentPattern: agent.did, allow: ["prof:health"] },
    ...{ createdAt: daysAgo(days), updatedAt: daysAgo(days) },
    ...given,
  });
}

function read(given: EventGiven = {}) {
  const items = { "prof:health": 2 };
  const read = { profileId: owner.profileId, actorId: agent.did, at: daysAgo(59), items };
  return giveEvent(engine, { ...read, ...given });
}

function find(of = owner) {
  return findUnused(signedIn(engine, of), { did: owner.did, agentDid: agent.did });
}

async function scopes(): Promise<string[]> {
  return (await find()).map(({ scope }) => scope);
}

describe("a scope is unused if", () => {
  test("a rule has opened it to this agent alone for 60 days and nothing was read", async () => {
    const { id } = await rule({ permissions: ["read", "propose"] }, 60);
    expect(await find()).toEqual([
      {
        ...{ policyId: id, scope: "prof:health", origin: "owner" },
        ...{ proposes: true, since: daysAgo(60) },
      },
    ]);
  });

  test("a grant opens it to an agent that says why", async () => {
    await rule({ origin: "consent", purposes: ["research"] });
    expect(await find()).toMatchObject([{ origin: "consent", scope: "prof:health" }]);
  });

  test.each<[string, EventGiven]>([
    ["the last read was 61 days ago", { at: daysAgo(61) }],
    ["the read was denied", { outcome: "PROF003", items: {}, denied: ["prof:health"] }],
    ["another category was read", { items: { "prof:interests": 1 }, granted: ["prof:interests"] }],
    ["a category with a similar name was read", { items: { "prof:healthy": 1 } }],
    ["the agent only proposed", { verb: "proposeMemory", items: {}, granted: ["prof:health"] }],
    ["the agent only took a receipt", { verb: "requestAccess", granted: ["prof:health"] }],
    ["another agent read it", { actorId: "did:prof:agent:local:other" }],
  ])("%s", async (_, given) => {
    await rule();
    await read(given);
    expect(await scopes()).toEqual(["prof:health"]);
  });

  test("the rule opens it beside another scope that is read", async () => {
    await rule({ allow: ["prof:interests", "prof:health.*"] });
    await read({ items: { "prof:interests.music": 1 } });
    expect(await scopes()).toEqual(["prof:health.*"]);
  });
});

describe("a scope is used if", () => {
  test.each<[string, EventGiven]>([
    ["it was read 59 days ago", {}],
    ["it was read exactly 60 days ago", { at: daysAgo(60) }],
    ["a subcategory of it was read", { items: { "prof:health.sleep": 1 } }],
    [
      "it was listed, and nothing was there",
      { verb: "listMemories", items: {}, granted: ["prof:health"] },
    ],
    ["a wider scope was asked for and open", { items: {}, granted: ["prof:*"] }],
  ])("%s", async (_, given) => {
    await rule();
    await read(given);
    expect(await scopes()).toEqual([]);
  });

  test("the agent itself just read it", async () => {
    await rule();
    await agent.client.getProfile({ did: owner.did, scopes: ["prof:health.sleep"] });
    expect(await scopes()).toEqual([]);
  });
});

describe("no claim is made about", () => {
  test("a rule of 59 days", async () => {
    await rule({}, 59);
    expect(await scopes()).toEqual([]);
  });

  test.each<[string, PolicyGiven]>([
    ["a rule that was changed since", { updatedAt: daysAgo(59) }],
    ["a rule for many agents", { agentPattern: "did:prof:agent:local:*" }],
    ["a rule of a template", { origin: "template" }],
    ["a rule of a token", { origin: "token" }],
    ["a rule that is off", { enabled: false }],
    ["a rule that has ended", { expiresAt: daysAgo(1) }],
    ["a rule that only lets it propose", { permissions: ["propose"] }],
    ["a rule for verified agents", { verifiedOnly: true }],
  ])("%s", async (_, given) => {
    await rule(given);
    expect(await scopes()).toEqual([]);
  });

  test("a scope that another rule denies, or opens as well", async () => {
    const { id } = await rule({ allow: ["prof:health", "prof:financial"] });
    const other = await rule({ allow: [], deny: ["prof:health"] });
    const wider = { allow: ["prof:financial"], agentPattern: "did:prof:agent:*:*" };
    await rule(wider);
    expect(await scopes()).toEqual([]);
    await removePolicy(signedIn(engine, owner), { did: owner.did, policyId: other.id });
    expect(await find()).toMatchObject([{ policyId: id, scope: "prof:health" }]);
  });

  test("an agent that is suspended", async () => {
    await rule();
    await engine.db.agent.update({ where: { did: agent.did }, data: { state: "suspended" } });
    expect(await scopes()).toEqual([]);
  });

  test.each<[string, EventGiven]>([
    [
      "events of the period were dropped",
      { verb: "dropEvents", actorId: "gateway", detail: { before: daysAgo(30).toISOString() } },
    ],
    ["the rules were imported", { verb: "importProfile", actor: "owner" }],
    ["an event left out categories", { items: {}, detail: { more: { items: 3, itemCount: 9 } } }],
  ])("a period in which %s", async (_, given) => {
    await rule();
    await read({ ...given, ...(given.actor === "owner" ? { actorId: owner.did } : {}) });
    expect(await scopes()).toEqual([]);
  });

  test("a period of which a restored backup lacks events", async () => {
    // Long before the other tests: such an event is about all profiles, and stays.
    engine.setNow(daysAgo(1_000));
    await rule({}, 1_090);
    expect(await scopes()).toEqual(["prof:health"]);
    const event = { id: "evt_restored", adminId: "shell", requestId: "req_1" };
    const at = daysAgo(1_003);
    await engine.db.adminEvent.create({ data: { ...event, at, verb: "restoreBackup" } });
    expect(await scopes()).toEqual([]);
  });
});

test("a read that retention dropped leaves no claim behind", async () => {
  await rule();
  await read({ at: daysAgo(40) });
  while ((await sealEvents(engine.db, testNow)) > 0);
  while ((await dropEvents(configured(engine, { ACCESS_EVENTS_DAYS: 30 }))) > 0);
  const reads = { profileId: owner.profileId, actorId: agent.did };
  expect(await engine.db.accessEvent.count({ where: reads })).toBe(0);
  expect(await scopes()).toEqual([]);
});

test("dropped events from before the period hide nothing", async () => {
  await rule();
  const detail = { before: daysAgo(61).toISOString() };
  await read({ verb: "dropEvents", actorId: "gateway", items: {}, detail });
  expect(await scopes()).toEqual(["prof:health"]);
});

test("403 PROF002: the profile of somebody else", async () => {
  await rule();
  await expect(find(await mintOwner(engine))).rejects.toMatchObject({ code: "PROF002" });
});

test("reads 20,000 events by an index, and claims nothing about more", async () => {
  const { id } = await rule();
  const giveMany = (from: number, to: number) =>
    engine.pool.query(
      `INSERT INTO "AccessEvent" (id, "profileId", at, actor, "actorId", verb, outcome, items, "requestId")
     SELECT 'evt_' || $1::int || 'x' || n, $1::int, $2::timestamptz + n * interval '1 second', 'agent', $3, 'getProfile', 'ok',
       '{"prof:interests": 3, "prof:preferences": 2}', 'req_1' FROM generate_series($4::int, $5::int) n`,
      [owner.profileId, daysAgo(20), agent.did, from, to],
    );
  await giveMany(1, 20_000);
  expect(await find()).toMatchObject([{ policyId: id }]);
  await giveMany(20_001, 20_001);
  expect(await find()).toEqual([]);
});
