import { beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { newId } from "@/lib/engine/random";
import { factsAfterConsent } from "@/lib/rules/consent";
import { policyOf } from "@/lib/rules/testing/samples";
import { testEngine } from "@/tests/support/harness";
import {
  giveMemory,
  giveNamedValue,
  givePolicy,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { decideConsent, listPendingConsents } from "../consents";
import { seeAsAgent } from "./lens";

const engine = await testEngine({
  ...{ LIMIT_ACCESS: "1000", LIMIT_PROFILE: "1000", LIMIT_MEMORIES: "1000" },
});
const scopes = ["prof:interests", "prof:health", "prof:preferences"];
let owner: Owner;
let agent: Minted;
let requestId: string;

beforeEach(async () => {
  owner = await mintOwner(engine, {
    common: { preferences: { language: "en", food: { diet: "vegetarian" } } },
    policies: [{ agentPattern: "did:prof:agent:*:*", allow: [], deny: ["prof:health.teeth"] }],
  });
  agent = await mintAgent(engine, { operator: "Iris Assistants" });
  await giveMemory(engine, owner.profileId, { content: "Throws pots." });
  await giveMemory(engine, owner.profileId, { category: "prof:health", content: "Sleeps badly." });
  await giveMemory(engine, owner.profileId, { category: "prof:health.teeth", content: "canary" });
  await giveMemory(engine, owner.profileId, { category: "prof:episodic", content: "canary" });
  const likes = { category: "prof:interests", name: "likes", value: ["tea"] };
  await giveNamedValue(engine, owner.profileId, likes);
  requestId = await ask();
});

async function ask(): Promise<string> {
  const purpose = { type: "personalization", retention: "session_only" };
  const asking = agent.client.requestAccess({ did: owner.did, scopes, purpose });
  await expect(asking).rejects.toMatchObject({ code: "PROF004" });
  const [request] = await listPendingConsents(signedIn(engine, owner), owner.did);
  return request?.id ?? "";
}

// As if the owner granted these.
function see(granted: string[]) {
  const consent = {
    ...{ agentDid: agent.did, purposeType: "personalization", retention: "session_only" },
  };
  return seeAsAgent(signedIn(engine, owner), {
    ...{ did: owner.did, agentDid: agent.did },
    imagine: (facts) => factsAfterConsent(facts, { consent, scopes: granted }),
  });
}

test("with nothing switched on, the agent sees nothing more, and each hidden part says why", async () => {
  const { items, hidden } = await see([]);
  expect(items).toEqual([]);
  const reasons = hidden.map(({ category, decision }) => [category, decision.reason.rule]);
  expect(reasons).toContainEqual(["prof:interests", "no_allow"]);
  expect(reasons).toContainEqual(["prof:health.teeth", "deny"]);
});

test("switched-on scopes are shown, except for what a policy denies", async () => {
  const { items, hidden, policies } = await see(["prof:interests", "prof:health"]);
  expect(items.map(({ name, value }) => [name, value])).toEqual([
    ["likes", ["tea"]],
    [null, "Throws pots."],
    [null, "Sleeps badly."],
  ]);
  expect(items.every(({ isNew }) => isNew)).toBe(true);
  const teeth = hidden.find(({ category }) => category === "prof:health.teeth");
  expect(policies.map(({ id }) => id)).toContain(teeth?.decision.reason.policyId);
  expect(JSON.stringify({ items, hidden })).not.toContain("canary");
});

test("a part of a value that a policy denies is hidden, and named as hidden", async () => {
  await givePolicy(engine, owner.profileId, { allow: [], deny: ["prof:interests.home.street"] });
  const value = { street: "canary", city: "Bern" };
  await giveNamedValue(engine, owner.profileId, {
    category: "prof:interests",
    name: "home",
    value,
  });
  const { items, hidden } = await see(["prof:interests"]);
  expect(items.find(({ name }) => name === "home")?.value).toEqual({ city: "Bern" });
  expect(hidden.flatMap(({ names }) => names)).toContain("home.street");
  expect(JSON.stringify({ items, hidden })).not.toContain("canary");
});

test("counts hidden memories in the database: no statement returns a row for each", async () => {
  for (let nth = 0; nth < 20; nth++) await giveMemory(engine, owner.profileId);
  const query = vi.spyOn(engine.pool, "query");
  const { hidden } = await see([]);
  const answers = await Promise.all(query.mock.results.map(({ value }): unknown => value));
  query.mockRestore();
  const rows = answers.map((answer) => Answer.parse(answer).rows.length);
  expect(Math.max(...rows)).toBeLessThan(10);
  const ofInterests = hidden.find(
    ({ kind, category }) => kind === "memory" && category === "prof:interests",
  );
  expect(ofInterests?.items).toBe(21);
});

const Answer = z.object({ rows: z.array(z.unknown()) });

test("common members are taken apart, each value under its path", async () => {
  const { items } = await see(["prof:preferences"]);
  expect(items.map(({ name, value }) => [name, value])).toEqual([
    ["food › diet", "vegetarian"],
    ["language", "en"],
  ]);
});

test("the view separates what the agent sees already from what the grant adds", async () => {
  await givePolicy(engine, owner.profileId, { allow: ["prof:interests"] });
  const { items } = await see(["prof:health"]);
  expect(items.filter(({ isNew }) => isNew).map(({ value }) => value)).toEqual(["Sleeps badly."]);
  expect(items.filter(({ isNew }) => !isNew)).toHaveLength(2);
});

test("of more memories than an answer holds, none of a category that is seen already is new or lost", async () => {
  const at = { updatedAt: engine.now(), content: "Takes notes." };
  await engine.db.memory.createMany({
    data: Array.from({ length: 2_100 }, (_, nth) => ({
      ...{
        id: newId("mem"),
        profileId: owner.profileId,
        category: `prof:notes.c${nth % 42}`,
        ...at,
      },
      ...{ confidence: 1, source: "owner" },
      createdAt: new Date(engine.now().getTime() - (nth % 42) * 60_000),
    })),
  });
  await givePolicy(engine, owner.profileId, { allow: ["prof:notes"] });
  const deny = Array.from({ length: 21 }, (_, nth) => `prof:notes.c${nth}`);
  const { items, lost } = await seeAsAgent(signedIn(engine, owner), {
    ...{ did: owner.did, agentDid: agent.did },
    imagine: (facts) => ({ ...facts, policies: [...facts.policies, policyOf({ deny })] }),
  });
  expect(items).toHaveLength(21 * 50);
  expect(items.filter(({ isNew }) => isNew)).toEqual([]);
  expect(new Set(lost.map(({ category }) => category))).toEqual(new Set(deny));
});

test("the lens shows what the agent then reads, and no more", async () => {
  const granted = ["prof:interests", "prof:preferences"];
  const { items } = await see(granted);
  const ctx = signedIn(engine, owner);
  await decideConsent(ctx, { did: owner.did, requestId, scopes: granted, choice: "1d" });
  const { data } = await agent.client.getProfile({ did: owner.did });
  expect(Object.keys(data.memories)).toEqual(["prof:interests"]);
  expect(data.common.preferences).toEqual({ language: "en", food: { diet: "vegetarian" } });
  expect(items.map(({ value }) => value)).toEqual(["vegetarian", "en", ["tea"], "Throws pots."]);
});

test("looking grants nothing", async () => {
  await see(scopes);
  const { data } = await agent.client.getProfile({ did: owner.did });
  expect(data.memories).toEqual({});
});

test("only the owner looks", async () => {
  const stranger = signedIn(engine, await mintOwner(engine));
  const looking = seeAsAgent(stranger, { did: owner.did, agentDid: agent.did });
  await expect(looking).rejects.toMatchObject({ code: "PROF002" });
});
