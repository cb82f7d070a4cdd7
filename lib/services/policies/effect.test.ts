import { beforeEach, expect, test } from "vitest";
import { draftId, policiesAfter } from "@/lib/rules/effect/policy-change";
import type { Policy } from "@/lib/rules/facts";
import { everyAgent } from "@/lib/rules/facts";
import { testEngine } from "@/tests/support/harness";
import {
  eventsOf,
  giveMemory,
  giveNamedValue,
  givePolicy,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { seeAsAgent } from "../access/sight/lens";
import { effectOfPolicies } from "./effect";
import { listKnownAgents } from "./known-agents";
import { addPolicy } from "./policies";

const engine = await testEngine({ LIMIT_ACCESS: "1000", LIMIT_PROFILE: "1000" });
let owner: Owner;
let iris: Minted;
let atlas: Minted;

const draft: Policy = {
  id: draftId,
  agentPattern: everyAgent,
  verifiedOnly: true,
  allow: ["prof:interests"],
  deny: [],
  permissions: ["read"],
  purposes: [],
  maxRetention: null,
  receiptSeconds: null,
  enabled: true,
  expiresAt: null,
  origin: "owner",
};

beforeEach(async () => {
  owner = await mintOwner(engine);
  iris = await mintAgent(engine, { verified: true });
  atlas = await mintAgent(engine, { name: "Atlas" });
  for (const { client } of [iris, atlas]) await client.getProfile({ did: owner.did });
  await giveMemory(engine, owner.profileId);
  await giveMemory(engine, owner.profileId, { archivedAt: engine.now() });
  await giveMemory(engine, owner.profileId, { category: "prof:interests.music" });
  await giveMemory(engine, owner.profileId, { category: "prof:health" });
  const likes = { category: "prof:interests", name: "likes", value: ["tea"] };
  await giveNamedValue(engine, owner.profileId, likes);
});

async function effects(policy: Partial<Policy>) {
  const change = { kind: "put", policy: { ...draft, ...policy } } as const;
  const { atOnce, onceAsked } = await effectOfPolicies(signedIn(engine, owner), {
    did: owner.did,
    change,
  });
  const summaryOf = ({ affected }: typeof atOnce) =>
    Object.fromEntries(
      affected.map(({ agent, effect: { gains, loses } }) => [
        "imagined" in agent ? agent.imagined : agent.did,
        [gains.memories + gains.values, loses.memories + loses.values],
      ]),
    );
  return { atOnce: summaryOf(atOnce), onceAsked: onceAsked && summaryOf(onceAsked) };
}

test("each agent that was ever here is told, beside any verified and any other", async () => {
  expect((await effects({})).atOnce).toEqual({
    verified: [3, 0],
    other: [0, 0],
    [iris.did]: [3, 0],
    [atlas.did]: [0, 0],
  });
});

test("an agent that was never here is told where the rule names it, and one that fits a pattern", async () => {
  const nova = await mintAgent(engine, { name: "Nova" });
  const named = await effects({ agentPattern: nova.did, verifiedOnly: false });
  expect(named.atOnce).toMatchObject({ [nova.did]: [3, 0], [iris.did]: [0, 0] });
  const fitting = await effects({ agentPattern: "did:prof:agent:acme:*", verifiedOnly: false });
  expect(fitting.atOnce).toMatchObject({ fitting: [3, 0], verified: [0, 0] });
});

test("no policy gives an agent more than its ceiling", async () => {
  await engine.db.agent.update({ where: { did: iris.did }, data: { ceiling: ["prof:health"] } });
  expect((await effects({})).atOnce[iris.did]).toEqual([0, 0]);
});

test("a deny takes away what another rule gives", async () => {
  await givePolicy(engine, owner.profileId, { allow: ["prof:*"] });
  const { atOnce } = await effects({ allow: [], deny: ["prof:health"], verifiedOnly: false });
  expect(atOnce).toMatchObject({ other: [0, 1], [iris.did]: [0, 1] });
});

test("a deny inside a value is announced as what will not be read, and the value stays", async () => {
  await givePolicy(engine, owner.profileId, { allow: ["prof:*"] });
  const value = { street: "Main Street", city: "Bern" };
  await giveNamedValue(engine, owner.profileId, {
    category: "prof:interests",
    name: "home",
    value,
  });
  const deny = ["prof:interests.home.street"];
  const change = { kind: "put", policy: { ...draft, allow: [], deny } } as const;
  const ctx = signedIn(engine, owner);
  const { atOnce } = await effectOfPolicies(ctx, { did: owner.did, change });
  expect(atOnce.affected.find(({ agent }) => agent.did === iris.did)?.effect.loses).toMatchObject({
    values: 0,
    later: deny,
  });
});

test("names each category that a rule opens, and those that another rule closes", async () => {
  await givePolicy(engine, owner.profileId, { allow: [], deny: ["prof:financial"] });
  const policy = { ...draft, allow: ["prof:*"], deny: ["prof:interests.music"] };
  const { opens } = await effectOfPolicies(signedIn(engine, owner), {
    did: owner.did,
    change: { kind: "put", policy },
  });
  const found = Object.fromEntries(
    opens.map(({ category, items, isClosed }) => [category, isClosed ? "closed" : items]),
  );
  expect(found).toMatchObject({
    "prof:interests": 2,
    "prof:interests.music": "closed",
    "prof:health": 1,
    "prof:financial": "closed",
    "prof:identity": 0,
  });
});

test("names of a rule for one agent what an admin lets that agent read", async () => {
  const ceiling = ["prof:interests.music"];
  await engine.db.agent.update({ where: { did: iris.did }, data: { ceiling } });
  const policy = { ...draft, agentPattern: iris.did };
  const { opens } = await effectOfPolicies(signedIn(engine, owner), {
    did: owner.did,
    change: { kind: "put", policy },
  });
  expect(opens).toEqual([{ category: "prof:interests.music", items: 1, isClosed: false }]);
});

test("a rule for a purpose opens nothing at once, and all of it once asked", async () => {
  const { atOnce, onceAsked } = await effects({ purposes: ["analysis"] });
  expect(atOnce[iris.did]).toEqual([0, 0]);
  expect(onceAsked?.[iris.did]).toEqual([3, 0]);
});

test("the lens and the agent agree with it once it is saved", async () => {
  const ctx = signedIn(engine, owner);
  const { items, lost } = await seeAsAgent(ctx, {
    did: owner.did,
    agentDid: iris.did,
    imagine: (facts) => ({
      ...facts,
      policies: policiesAfter(facts.policies, { kind: "put", policy: draft }),
    }),
  });
  expect([items.length, lost]).toEqual([3, []]);
  await addPolicy(ctx, { did: owner.did, policy: draft });
  const { data } = await iris.client.getProfile({ did: owner.did });
  expect(Object.keys(data.memories).sort()).toEqual(["prof:interests", "prof:interests.music"]);
  expect((await atlas.client.getProfile({ did: owner.did })).data.memories).toEqual({});
});

test("known agents are those that hold something or were here, and no suspended one", async () => {
  const pip = await mintAgent(engine, { name: "Pip" });
  const gone = await mintAgent(engine, { name: "Gone", state: "suspended" });
  await mintAgent(engine, { name: "Elsewhere" });
  for (const { did } of [pip, gone]) {
    await givePolicy(engine, owner.profileId, { agentPattern: did });
  }
  const known = await listKnownAgents(signedIn(engine, owner), owner.did);
  expect(known.map(({ name }) => name)).toEqual(["Atlas", "Iris", "Pip"]);
});

test("looking leaves no event, and only the owner looks", async () => {
  const before = await eventsOf(engine, owner.profileId);
  await effects({});
  expect(await eventsOf(engine, owner.profileId)).toHaveLength(before.length);
  const stranger = signedIn(engine, await mintOwner(engine));
  const change = { kind: "put", policy: draft } as const;
  await expect(effectOfPolicies(stranger, { did: owner.did, change })).rejects.toMatchObject({
    code: "PROF002",
  });
  await expect(listKnownAgents(stranger, owner.did)).rejects.toMatchObject({ code: "PROF002" });
});
