import { beforeEach, expect, test, vi } from "vitest";
import { newId } from "@/lib/engine/random";
import { testEngine, testNow } from "@/tests/support/harness";
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
import { decideConsent } from "../consents";
import { type ReachQuery, reachOf } from "./reach";

const engine = await testEngine({ LIMIT_ACCESS: "1000", LIMIT_PROFILE: "1000" });
const dayMs = 24 * 60 * 60_000;
const later = new Date(testNow.getTime() + 20 * dayMs);
const [interests, health] = ["prof:interests", "prof:health"];
let owner: Owner;
let iris: Minted;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  iris = await mintAgent(engine, { name: "Iris" });
  await giveMemory(engine, owner.profileId);
  await giveMemory(engine, owner.profileId);
  await giveMemory(engine, owner.profileId, { archivedAt: testNow });
  await giveMemory(engine, owner.profileId, { category: health });
  for (const name of ["likes", "home"]) {
    await giveNamedValue(engine, owner.profileId, { category: interests, name, value: ["tea"] });
  }
});

function see(query: Partial<ReachQuery> = {}) {
  return reachOf(signedIn(engine, owner), { did: owner.did, agents: [iris.did], ...query });
}

async function ofIris(category = interests) {
  const { agents } = await see();
  return agents[0]?.categories.find((one) => one.category === category);
}

const give = (policy: Parameters<typeof givePolicy>[2]) =>
  givePolicy(engine, owner.profileId, { agentPattern: iris.did, allow: [interests], ...policy });

function ask(scopes = [interests]) {
  const purpose = { type: "personalization", retention: "session_only" } as const;
  return iris.client.requestAccess({ did: owner.did, scopes, purpose });
}

async function refusedRequest(scopes?: string[]): Promise<string> {
  const refused = await ask(scopes).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "PROF004" });
  const { id } = await engine.db.consentRequest.findFirstOrThrow({
    where: { agentDid: iris.did, status: "pending" },
  });
  return id;
}

const closed = { reads: null, takes: null, proposes: null, never: null, asks: null };
const none = { memories: 0, values: 0 };
const all = { memories: 2, values: 2 };

test("without a rule an agent can do nothing, and each category is counted whole", async () => {
  expect(await see()).toEqual({
    categories: [
      { category: health, memories: 1, values: 0 },
      { category: interests, ...all },
    ],
    agents: [
      {
        agent: { did: iris.did, name: "Iris", verified: false },
        categories: [health, interests].map((category) => ({ category, ...none, ...closed })),
      },
    ],
    leftOut: 0,
  });
});

test("a rule that opens it says which it is, and when it ends", async () => {
  const { id } = await give({ expiresAt: later });
  expect(await ofIris()).toMatchObject({ ...all, reads: { policy: { id }, until: later } });
  expect(await ofIris(health)).toMatchObject({ ...none, ...closed });
});

test("a grant for a purpose is read until its receipt ends, and may be taken until the grant does", async () => {
  const requestId = await refusedRequest();
  expect(await ofIris()).toMatchObject({ ...none, asks: requestId });
  const decision = { did: owner.did, requestId, scopes: [interests], choice: "30d" } as const;
  await decideConsent(signedIn(engine, owner), decision);
  const monthLater = new Date(testNow.getTime() + 30 * dayMs);
  const tomorrow = new Date(testNow.getTime() + dayMs);
  expect(await ofIris()).toMatchObject({
    ...all,
    ...{ reads: { until: tomorrow }, takes: { until: monthLater }, asks: null },
  });
  engine.setNow(tomorrow);
  await engine.db.session.updateMany({ data: { lastSeenAt: tomorrow } });
  expect(await ofIris()).toMatchObject({ ...all, reads: null, takes: { until: monthLater } });
  await expect(iris.client.listMemories({ did: owner.did, category: interests })).rejects.toThrow();
  await ask();
  expect(await ofIris()).toMatchObject({ reads: { until: new Date(tomorrow.getTime() + dayMs) } });
  expect(JSON.stringify(await iris.client.getProfile({ did: owner.did }))).toContain("tea");
});

test("a value that a rule denies by name is not counted, nor one that is cut out of the profile", async () => {
  const common = { preferences: { language: "en", food: { diet: "vegetarian", spicy: "no" } } };
  owner = await mintOwner(engine, { common });
  await giveNamedValue(engine, owner.profileId, { category: interests, name: "likes", value: 1 });
  await giveNamedValue(engine, owner.profileId, { category: interests, name: "home", value: 2 });
  await give({ allow: [interests, "prof:preferences.food"], deny: ["prof:interests.home"] });
  expect(await ofIris()).toMatchObject({ memories: 0, values: 1 });
  expect(await ofIris("prof:preferences")).toMatchObject({ values: 0, reads: null });
  expect(await ofIris("prof:preferences.food")).toMatchObject({ values: 2, reads: {} });
  const { categories } = await see();
  expect(categories).toContainEqual({ category: "prof:preferences", memories: 0, values: 1 });
});

test("what a rule or a request names is told of where it is empty, and so is what was asked for", async () => {
  await give({ allow: ["prof:hobbies.*"] });
  await refusedRequest(["prof:episodic"]);
  const { categories } = await see({ categories: ["prof:professional"] });
  const empty = ["prof:episodic", "prof:hobbies", "prof:professional"];
  expect(categories.filter(({ memories }) => memories === 0).map((one) => one.category)).toEqual(
    empty,
  );
  expect(await ofIris("prof:hobbies")).toMatchObject({ ...none, reads: { until: null } });
});

test("however much agents request, the categories of the owner's rules are listed", async () => {
  await give({ allow: ["prof:hobbies"] });
  const at = { requestedAt: testNow };
  await engine.db.consentRequest.createMany({
    data: Array.from({ length: 30 }, (_, nth) => ({
      ...{ id: newId("creq"), profileId: owner.profileId, agentDid: iris.did, ...at },
      ...{ purposeType: `purpose_${nth}`, status: "pending" as const },
      scopes: Array.from({ length: 50 }, (_, at) => `prof:a${nth * 50 + at}`),
    })),
  });
  const { categories } = await see();
  expect(categories.length).toBeLessThan(600);
  expect(await ofIris("prof:hobbies")).toMatchObject({ reads: { until: null } });
});

test("a deny and an admin's limit are never, whatever the agent asks for", async () => {
  const { id } = await give({ deny: [interests] });
  expect(await ofIris()).toMatchObject({ ...none, reads: null, never: { policy: { id } } });
  const { did } = iris;
  await engine.db.agent.update({ where: { did }, data: { ceiling: ["prof:episodic"] } });
  expect(await ofIris(health)).toMatchObject({ never: { policy: null } });
});

test("what an admin's limit leaves open below a category is counted there, and the rest is never", async () => {
  owner = await mintOwner(engine, { common: { preferences: { language: "en", units: "metric" } } });
  const ceiling = ["prof:preferences.language"];
  await engine.db.agent.update({ where: { did: iris.did }, data: { ceiling } });
  await give({ allow: ["prof:preferences"] });
  const { data } = await iris.client.getProfile({ did: owner.did });
  expect(data.common.preferences).toEqual({ language: "en" });
  expect(await ofIris("prof:preferences.language")).toMatchObject({ values: 1, reads: {} });
  const rest = { values: 0, reads: null, never: { policy: null } };
  expect(await ofIris("prof:preferences")).toMatchObject(rest);
});

test("a receipt for a part of what a rule gives for a purpose says what is read now", async () => {
  owner = await mintOwner(engine, { common: { preferences: { language: "en", units: "metric" } } });
  await give({ allow: ["prof:preferences"], purposes: ["personalization"] });
  await ask(["prof:preferences.language"]);
  const { data } = await iris.client.getProfile({ did: owner.did });
  expect(data.common.preferences).toEqual({ language: "en" });
  expect(await ofIris("prof:preferences.language")).toMatchObject({ values: 1, reads: {} });
  const rest = { values: 1, reads: null, takes: {} };
  expect(await ofIris("prof:preferences")).toMatchObject(rest);
});

test("agents that are not active are left out, and the others come by name", async () => {
  await give({});
  const pip = await mintAgent(engine, { name: "Pip" });
  const gone = await mintAgent(engine, { name: "Gone", state: "suspended" });
  for (const { did } of [pip, gone]) await give({ agentPattern: did });
  await mintAgent(engine, { name: "Elsewhere" });
  const { agents } = await see({ agents: undefined });
  expect(agents.map(({ agent }) => agent.name)).toEqual(["Iris", "Pip"]);
});

test("takes no more statements for many agents than for none", async () => {
  for (let nth = 0; nth < 10; nth++) {
    await give({ agentPattern: (await mintAgent(engine)).did });
  }
  // What the profile holds is kept from here on.
  await see({ agents: [] });
  const query = vi.spyOn(engine.pool, "query");
  // What was given before is announced at a moment of its own.
  const count = () =>
    query.mock.calls.filter((call) => !JSON.stringify(call).includes("pg_notify")).length;
  await see({ agents: [] });
  const few = count();
  const { agents } = await see({ agents: undefined });
  expect(agents.length).toBeGreaterThanOrEqual(10);
  expect(count()).toBe(2 * few);
  query.mockRestore();
});

test("only the owner may look", async () => {
  const stranger = signedIn(engine, await mintOwner(engine));
  await expect(reachOf(stranger, { did: owner.did })).rejects.toMatchObject({ code: "PROF002" });
  const asAgent = { ...stranger, caller: { kind: "agent", ...iris } as const };
  await expect(reachOf(asAgent, { did: owner.did })).rejects.toMatchObject({ code: "PROF002" });
});
