import { beforeEach, describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  eventsOf,
  giveEvent,
  giveMemory,
  givePolicy,
  giveProposal,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { sealEvents } from "../audit/seal-events";
import { addPolicy } from "../policies/policies";
import { countByDay } from "./counts/count-by-day";
import { countCategories } from "./counts/count-categories";
import { daysBetween } from "./counts/days";
import { exportActivity } from "./export-activity";
import { activityKinds, kindOf } from "./kinds";
import { listActivity } from "./list-activity";
import { listActors } from "./list-actors";
import type { ActivityFilter } from "./matching";
import { verifyActivity } from "./verify-activity";
import { visit } from "./visit";
import { waitingRequests } from "./waiting-requests";

const engine = await testEngine();
const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const ago = (ms: number) => new Date(testNow.getTime() - ms);

let owner: Owner;
let other: Owner;
beforeEach(async () => {
  owner = await mintOwner(engine);
  other = await mintOwner(engine);
});

const of = ({ profileId }: Owner) => ({ profileId });
const ctx = (who = owner) => signedIn(engine, who);

async function all(filter: ActivityFilter = {}, who = owner, limit = 3): Promise<string[]> {
  const ids: string[] = [];
  let after: { at: Date; id: string } | undefined;
  do {
    const page = await listActivity(ctx(who), { did: who.did, ...filter, after, limit });
    ids.push(...page.events.map(({ id }) => id));
    after = page.next ?? undefined;
  } while (after !== undefined);
  return ids;
}

describe("the list of events", () => {
  test("holds each event of the profile once, newest first, and none of another's", async () => {
    const agent = await mintAgent(engine);
    const given = [];
    for (const hours of [5, 1, 3, 3, 3, 2, 4, 1]) {
      const at = ago(hours * hourMs);
      given.push(await giveEvent(engine, { ...of(owner), actorId: agent.did, at }));
      await giveEvent(engine, { ...of(other), actorId: agent.did, at });
    }
    const sorted = given.sort((a, b) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1));
    expect(await all()).toEqual(sorted.map(({ id }) => id));
    expect(await all({}, other)).toHaveLength(8);
    expect(await all({ actor: agent.did })).toHaveLength(8);
  });

  test("is narrowed by who, kind, outcome and period, and by any of them together", async () => {
    const [iris, atlas] = [await mintAgent(engine), await mintAgent(engine)];
    const mine = { actor: "owner", actorId: owner.did } as const;
    const events = [];
    for (const hours of [1, 30, 200]) {
      for (const outcome of ["ok", "PROF004"]) {
        const at = ago(hours * hourMs);
        for (const { did: actorId } of [iris, atlas]) {
          for (const verb of ["getProfile", "proposeMemory", "requestAccess"]) {
            events.push(await giveEvent(engine, { ...of(owner), actorId, at, verb, outcome }));
          }
        }
        for (const verb of ["reviewProposal", "editPolicies", "editMemories", "aLaterVerb"]) {
          events.push(await giveEvent(engine, { ...of(owner), ...mine, at, verb, outcome }));
        }
      }
    }
    const periods = [
      {},
      { from: ago(48 * hourMs) },
      { from: ago(48 * hourMs), to: ago(2 * hourMs) },
    ];
    for (const actor of [undefined, iris.did, owner.did]) {
      for (const kind of [undefined, ...activityKinds]) {
        for (const outcome of [undefined, "ok", "refused"] as const) {
          for (const { from, to } of periods as ActivityFilter[]) {
            const expected = events.filter(
              (one) =>
                (actor === undefined || one.actorId === actor) &&
                (kind === undefined || kindOf(one.verb) === kind) &&
                (outcome === undefined || (one.outcome === "ok") === (outcome === "ok")) &&
                (from === undefined || one.at >= from) &&
                (to === undefined || one.at < to),
            );
            const found = await all({ actor, kind, outcome, from, to }, owner, 20);
            expect([...found].sort()).toEqual(expected.map(({ id }) => id).sort());
          }
        }
      }
    }
  });

  test("names the agent that acted, and whom an act of the owner's was about", async () => {
    const agent = await mintAgent(engine, { name: "Atlas", verified: true });
    const { id } = await giveProposal(engine, { ...of(owner), agentDid: agent.did });
    const mine = { actor: "owner", actorId: owner.did } as const;
    const granted = { verb: "decideConsent", detail: { agentDid: agent.did } };
    const reviewed = { verb: "reviewProposal", subjectId: id };
    const ended = { verb: "revokeAgent", subjectId: agent.did };
    for (const about of [granted, reviewed, ended]) {
      await giveEvent(engine, { ...of(owner), ...mine, ...about });
    }
    await giveEvent(engine, { ...of(owner), actorId: agent.did });
    const { events } = await listActivity(ctx(), { did: owner.did, limit: 10 });
    const atlas = { did: agent.did, name: "Atlas", verified: true };
    expect(events.filter(({ actor }) => actor === "agent")).toMatchObject([{ agent: atlas }]);
    const own = events.filter(({ actor }) => actor === "owner");
    expect(own.map(({ about }) => about)).toEqual([atlas, atlas, atlas]);
    expect(own.every(({ agent: one }) => one === null)).toBe(true);
  });

  test("a read has the purpose of its receipt only where all that it hands out is of that one", async () => {
    const agent = await mintAgent(engine);
    for (const [scope, type] of [
      ["prof:interests", "recommendation"],
      ["prof:hobbies", "research"],
    ] as const) {
      await giveMemory(engine, owner.profileId, { category: scope });
      await givePolicy(engine, owner.profileId, {
        ...{ agentPattern: agent.did, allow: [scope], purposes: [type] },
      });
      const purpose = { type };
      await agent.client.requestAccess({ did: owner.did, scopes: [scope], purpose });
      await agent.client.getProfile({ did: owner.did });
    }
    const { events } = await listActivity(ctx(), { did: owner.did, limit: 9 });
    const reads = events.filter(({ verb }) => verb === "getProfile");
    const purposes = reads.map(({ items, purposeType }) => [
      Object.keys(items).length,
      purposeType,
    ]);
    expect(purposes.sort()).toEqual([
      [1, "recommendation"],
      [2, null],
    ]);
  });

  test("of a proposal with the same id elsewhere nothing is told", async () => {
    const agent = await mintAgent(engine);
    const { id: subjectId } = await giveProposal(engine, { ...of(other), agentDid: agent.did });
    const mine = { actor: "owner", actorId: owner.did, verb: "reviewProposal" } as const;
    await giveEvent(engine, { ...of(owner), ...mine, subjectId });
    const { events } = await listActivity(ctx(), { did: owner.did, limit: 10 });
    expect(events).toMatchObject([{ about: null }]);
  });

  test("is for the owner alone, and others who try are in it", async () => {
    const input = { did: owner.did, limit: 10 };
    await expect(listActivity(ctx(other), input)).rejects.toMatchObject({ code: "PROF002" });
    expect(await eventsOf(engine, owner.profileId)).toMatchObject([
      { verb: "readActivity", outcome: "PROF002" },
    ]);
  });
});

test("the agents to narrow by are those that did something here, each once", async () => {
  const [iris, atlas, nova] = [
    await mintAgent(engine, { name: "Iris" }),
    await mintAgent(engine, { name: "Atlas" }),
    await mintAgent(engine),
  ];
  for (const { did: actorId } of [iris, iris, atlas])
    await giveEvent(engine, { ...of(owner), actorId });
  await giveEvent(engine, { ...of(owner), actor: "owner", actorId: owner.did });
  await giveEvent(engine, { ...of(other), actorId: nova.did });
  const actors = await listActors(ctx(), owner.did);
  expect(actors.map(({ did }) => did)).toEqual([atlas.did, iris.did]);
});

test("of the requests behind events those that wait are told apart", async () => {
  const { did: agentDid } = await mintAgent(engine);
  const [waits, answered, others] = [newId("creq"), newId("creq"), newId("creq")];
  const given = { agentDid, scopes: ["prof:interests"], requestedAt: testNow };
  const denied = { status: "denied", decidedAt: testNow } as const;
  await engine.db.consentRequest.createMany({
    data: [
      { ...given, ...of(owner), id: waits, purposeType: "support" },
      { ...given, ...of(owner), ...denied, id: answered, purposeType: "other" },
      { ...given, ...of(other), id: others, purposeType: "support" },
    ],
  });
  const request = { ...of(owner), actorId: agentDid, verb: "requestAccess", outcome: "PROF004" };
  for (const subjectId of [waits, answered, others]) {
    await giveEvent(engine, { ...request, subjectId });
  }
  const { events } = await listActivity(ctx(), { did: owner.did, limit: 10 });
  expect(await waitingRequests(ctx(), { did: owner.did, events })).toEqual(new Set([waits]));
  await expect(waitingRequests(ctx(other), { did: owner.did, events })).rejects.toMatchObject({
    code: "PROF002",
  });
});

describe("activity by day", () => {
  const lastDays = (days: number, zone = "UTC") =>
    daysBetween(ago(days * dayMs), testNow, { zone, max: 92 });
  const input = { did: "", days: lastDays(30), agentsMax: 6 };

  test("counts reads, proposals and refusals by agent and day, not what was left to the owner", async () => {
    const iris = await mintAgent(engine, { name: "Iris" });
    const given = { ...of(owner), actorId: iris.did };
    for (const hours of [1, 2, 49]) await giveEvent(engine, { ...given, at: ago(hours * hourMs) });
    await giveEvent(engine, { ...given, at: ago(hourMs), verb: "proposeMemory" });
    await giveEvent(engine, { ...given, at: ago(hourMs), outcome: "PROF004" });
    await giveEvent(engine, { ...given, at: ago(hourMs), verb: "requestAccess" });
    await giveEvent(engine, { ...given, at: ago(40 * dayMs) });
    await giveEvent(engine, { ...of(owner), actor: "owner", actorId: owner.did, at: ago(hourMs) });
    await giveEvent(engine, { ...of(other), actorId: iris.did, at: ago(hourMs) });
    await giveEvent(engine, { ...given, at: ago(hourMs), verb: "listProposals" });
    const request = { ...given, at: ago(hourMs), verb: "requestAccess", outcome: "PROF004" };
    await giveEvent(engine, request);
    await giveEvent(engine, { ...request, subjectId: newId("creq") });
    const agent = { did: iris.did, name: "Iris", verified: false };
    expect(await countByDay(ctx(), { ...input, did: owner.did })).toEqual([
      { day: "2026-02-27", agent, reads: 1, proposals: 0, refused: 0 },
      { day: "2026-03-01", agent, reads: 2, proposals: 1, refused: 2 },
    ]);
    const refused = { ...input, did: owner.did, outcome: "refused" } as const;
    expect(await countByDay(ctx(), refused)).toMatchObject([
      { reads: 0, proposals: 0, refused: 2 },
    ]);
    const { events } = await listActivity(ctx(), { ...refused, limit: 10 });
    expect(events).toHaveLength(2);
  });

  test.each([
    ["UTC", "2026-02-28"],
    ["Asia/Tokyo", "2026-03-01"],
    ["America/Los_Angeles", "2026-02-28"],
  ])("counts an event of 20:00 UTC on the day it was in %s", async (zone, day) => {
    const { did: actorId } = await mintAgent(engine);
    await giveEvent(engine, { ...of(owner), actorId, at: new Date("2026-02-28T20:00:00Z") });
    const query = { ...input, did: owner.did, days: lastDays(7, zone) };
    expect(await countByDay(ctx(), query)).toMatchObject([{ day, reads: 1 }]);
  });

  test("counts the items of successful reads by the root of their category", async () => {
    const { did: actorId } = await mintAgent(engine);
    const read = (items: Record<string, number>, outcome = "ok") =>
      giveEvent(engine, { ...of(owner), actorId, at: ago(hourMs), items, outcome });
    await read({ "prof:preferences": 2, "prof:preferences.travel": 3, "prof:health": 1 });
    await read({ "prof:health": 1 });
    await read({ "prof:health": 9 }, "PROF004");
    await read(Object.fromEntries(Array.from("abcdefg", (root) => [`prof:${root}`, 1])));
    const counts = await countCategories(ctx(), { did: owner.did, days: input.days });
    expect(counts.slice(0, 2)).toEqual([
      { day: "2026-03-01", category: "prof:preferences", items: 5 },
      { day: "2026-03-01", category: "prof:health", items: 2 },
    ]);
    expect(counts.at(-1)).toEqual({ day: "2026-03-01", category: null, items: 1 });
  });

  test("tells those apart that did most, and adds up the others", async () => {
    for (const times of [1, 3, 2]) {
      const agent = await mintAgent(engine, { name: `Agent ${times}` });
      for (let time = 0; time < times; time += 1) {
        await giveEvent(engine, { ...of(owner), actorId: agent.did, at: ago(hourMs) });
      }
    }
    const counts = await countByDay(ctx(), { ...input, did: owner.did, agentsMax: 1 });
    expect(counts.map(({ agent, reads }) => [agent?.name, reads])).toEqual([
      ["Agent 3", 3],
      [undefined, 3],
    ]);
  });

  test("looks back a quarter of a year at most", async () => {
    const iris = await mintAgent(engine);
    await giveEvent(engine, { ...of(owner), actorId: iris.did, at: ago(100 * dayMs) });
    const days = daysBetween(ago(120 * dayMs), testNow, { zone: "UTC", max: 500 });
    expect(await countByDay(ctx(), { ...input, did: owner.did, days })).toEqual([]);
  });
});

describe("an agent that is refused", () => {
  test.each([
    ["reads the profile", "getProfile"],
    ["reads memories", "listMemories"],
    ["proposes a memory", "proposeMemory"],
  ])("and %s leaves the rule that refused it", async (_what, verb) => {
    const agent = await mintAgent(engine);
    const policyId = await addPolicy(ctx(), { did: owner.did, policy: denyHealth });
    const category = "prof:health";
    const { did } = owner;
    const tries = {
      getProfile: () => agent.client.getProfile({ did, scopes: [category] }),
      listMemories: () => agent.client.listMemories({ did, category }),
      proposeMemory: () => agent.client.proposeMemory({ did, category, content: newId("x") }),
    };
    const attempt = Object.entries(tries).find(([name]) => name === verb)?.[1];
    await expect(attempt?.()).rejects.toMatchObject({ code: "PROF004" });
    const events = await eventsOf(engine, owner.profileId);
    expect(events.filter((event) => event.verb === verb)).toMatchObject([
      {
        outcome: "PROF004",
        denied: [category],
        reasons: { [category]: { rule: "deny", policyId } },
      },
    ]);
  });
});

const denyHealth = {
  agentPattern: "did:prof:agent:*:*",
  verifiedOnly: false,
  allow: [],
  deny: ["prof:health"],
  permissions: ["read"],
  purposes: [],
  maxRetention: null,
  receiptSeconds: null,
  expiresAt: null,
  origin: "owner",
} satisfies Parameters<typeof addPolicy>[1]["policy"];

describe("the visit before this one", () => {
  const at = (minutes: number) => ({
    ...ctx(),
    now: new Date(testNow.getTime() + minutes * 60_000),
  });

  test("moves only after half an hour of absence", async () => {
    const { did } = owner;
    expect(await visit(at(0), did)).toBeNull();
    expect(await visit(at(20), did)).toBeNull();
    expect(await visit(at(45), did)).toBeNull();
    expect(await visit(at(100), did)).toEqual(at(45).now);
    expect(await visit(at(110), did)).toEqual(at(45).now);
    expect(await visit(at(150), did)).toEqual(at(110).now);
  });

  test("is one for all pages of a moment", async () => {
    const { did } = owner;
    await visit(at(0), did);
    const pages = await Promise.all(Array.from({ length: 8 }, () => visit(at(60), did)));
    expect(new Set(pages.map((one) => one?.getTime()))).toEqual(new Set([at(0).now.getTime()]));
  });

  test("is the owner's to know", async () => {
    await expect(visit(ctx(other), owner.did)).rejects.toMatchObject({ code: "PROF002" });
  });
});

describe("an export", () => {
  async function exported(filter: ActivityFilter = {}) {
    const input = { did: owner.did, format: "json", ...filter };
    const sizes: number[] = [];
    const events = [];
    for await (const batch of await exportActivity(ctx(), input)) {
      sizes.push(batch.length);
      events.push(...batch);
    }
    return { sizes, events };
  }

  test("holds every event up to now, oldest first, a batch at a time, and leaves one event", async () => {
    const agent = await mintAgent(engine);
    const data = Array.from({ length: 1_203 }, (_none, index) => ({
      ...{ id: newId("evt"), ...of(owner), at: ago((index + 1) * 1_000), actor: "agent" as const },
      ...{ actorId: agent.did, verb: "getProfile", outcome: "ok", requestId: "req_1" },
    }));
    await engine.db.accessEvent.createMany({ data });
    await giveEvent(engine, { ...of(other), actorId: agent.did });
    const { sizes, events } = await exported();
    expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
    expect(events.map(({ id }) => id)).toEqual(data.map(({ id }) => id).reverse());
    const own = (await eventsOf(engine, owner.profileId)).filter(
      ({ verb }) => verb === "readActivity",
    );
    expect(own).toMatchObject([{ outcome: "ok", detail: { exported: "json" } }]);
  });

  test("shows what was sealed before it began; of what is sealed later the seal may not stay", async () => {
    const agent = await mintAgent(engine);
    const give = (at: Date) => giveEvent(engine, { ...of(owner), actorId: agent.did, at });
    const seal = async () => {
      while ((await sealEvents(engine.db, testNow)) > 0);
    };
    await give(ago(2 * hourMs));
    await seal();
    await give(ago(hourMs));
    const batches = await exportActivity(ctx(), { did: owner.did, format: "json" });
    await seal();
    const shown = [];
    for await (const batch of batches) {
      shown.push(...batch.map(({ position, hash }) => [position, hash === null]));
    }
    expect(shown).toEqual([
      ["1", false],
      [null, true],
    ]);
    const { events } = await exported();
    expect(events.map(({ position }) => position)).toEqual(["1", "2"]);
  });

  test("is refused to others", async () => {
    const input = { did: owner.did, format: "csv" };
    await expect(exportActivity(ctx(other), input)).rejects.toMatchObject({ code: "PROF002" });
  });
});

test("the owner verifies the log, also from two pages at once; nobody else does", async () => {
  const agent = await mintAgent(engine);
  for (const hours of [1, 2]) {
    await giveEvent(engine, { ...of(owner), actorId: agent.did, at: ago(hours * hourMs) });
  }
  while ((await sealEvents(engine.db, testNow)) > 0);
  await giveEvent(engine, { ...of(owner), actorId: agent.did });
  const found = await Promise.all([
    verifyActivity(ctx(), owner.did),
    verifyActivity(ctx(), owner.did),
  ]);
  const intact = { intact: true, sealed: 2, unsealed: 1, dropped: 0, broken: null };
  expect(found).toEqual([intact, intact]);
  await expect(verifyActivity(ctx(other), owner.did)).rejects.toMatchObject({ code: "PROF002" });
});
