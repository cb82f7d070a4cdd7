import { beforeEach, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { agentDid } from "@/lib/protocol/did";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  giveMemory,
  givePolicy,
  giveProposal,
  giveToken,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { type Audience, audienceOf } from "./audience";

const engine = await testEngine();
const interests = "prof:interests";
const health = "prof:health";
let owner: Owner;
let iris: Minted;
let atlas: Minted;

beforeEach(async () => {
  owner = await mintOwner(engine);
  iris = await mintAgent(engine, { name: "Iris", verified: true });
  atlas = await mintAgent(engine, { name: "Atlas" });
});

async function audience() {
  const input = { did: owner.did, categories: [interests, health, interests] };
  const found = await audienceOf(signedIn(engine, owner), input);
  const summaryOf = (one: Audience | undefined) => ({
    agents: one?.agents.map(({ name }) => name),
    everyone: one?.everyone,
  });
  return { interests: summaryOf(found.get(interests)), health: summaryOf(found.get(health)) };
}

function give(policy: Parameters<typeof givePolicy>[2]) {
  return givePolicy(engine, owner.profileId, { allow: [interests], ...policy });
}

const nobody = { agents: [], everyone: null };

test("without a policy nobody can read", async () => {
  await giveProposal(engine, { profileId: owner.profileId, agentDid: iris.did });
  expect(await audience()).toEqual({ interests: nobody, health: nobody });
});

test("whom a policy names can read what it allows, and the answer says by which", async () => {
  const { id } = await give({ agentPattern: iris.did });
  expect(await audience()).toEqual({
    interests: { agents: ["Iris"], everyone: null },
    health: nobody,
  });
  const found = await audienceOf(signedIn(engine, owner), {
    did: owner.did,
    categories: [interests],
  });
  expect(found.get(interests)?.agents).toEqual([
    {
      ...{ did: iris.did, name: "Iris", verified: true },
      ...{ policy: expect.objectContaining({ id }), until: null },
    },
  ]);
});

test("a policy over a part of the name finds agents that were never here", async () => {
  const tail = newId("tail");
  const did = agentDid("acme_corp", `bot-${tail}`);
  await mintAgent(engine, { did, name: "Bot" });
  await mintAgent(engine, { did: agentDid("acmeXcorp", `bot-${tail}`), name: "Other" });
  await give({ agentPattern: `did:prof:agent:acme_corp:*${tail}` });
  expect((await audience()).interests).toEqual({ agents: ["Bot"], everyone: null });
});

test("agents that proposed, read, or hold a token are named beside a general policy", async () => {
  await give({});
  expect((await audience()).interests).toEqual({ agents: [], everyone: "all" });
  await giveProposal(engine, { profileId: owner.profileId, agentDid: iris.did });
  await atlas.client.getProfile({ did: owner.did });
  const nova = await mintAgent(engine, { name: "Nova" });
  await giveToken(engine, { owner, agent: nova });
  expect((await audience()).interests).toEqual({
    agents: ["Atlas", "Iris", "Nova"],
    everyone: "all",
  });
});

test("a policy for verified agents opens to them alone", async () => {
  await give({ verifiedOnly: true });
  for (const { did } of [iris, atlas]) {
    await giveProposal(engine, { profileId: owner.profileId, agentDid: did });
  }
  expect((await audience()).interests).toEqual({ agents: ["Iris"], everyone: "verified" });
});

test("a deny, a ceiling, a suspension and an end take an agent out", async () => {
  await give({});
  const ceiled = await mintAgent(engine, { name: "Ceiled", ceiling: [health] });
  const suspended = await mintAgent(engine, { name: "Suspended", state: "suspended" });
  for (const { did } of [iris, ceiled, suspended, atlas]) {
    await giveProposal(engine, { profileId: owner.profileId, agentDid: did });
  }
  await give({ agentPattern: iris.did, allow: [], deny: [interests] });
  await give({ agentPattern: ceiled.did, allow: [health], expiresAt: testNow });
  expect(await audience()).toEqual({
    interests: { agents: ["Atlas"], everyone: "all" },
    health: nobody,
  });
});

test("a deny for everybody closes what is open to everybody", async () => {
  await give({ allow: ["prof:*"] });
  await give({ allow: [], deny: [health] });
  const { interests: open, health: closed } = await audience();
  expect([open.everyone, closed.everyone]).toEqual(["all", null]);
});

test("a policy for a purpose counts for who holds a receipt, and for nobody else", async () => {
  await give({ purposes: ["personalization"] });
  for (const { did } of [iris, atlas]) {
    await giveProposal(engine, { profileId: owner.profileId, agentDid: did });
  }
  const purpose = { type: "personalization", retention: "session_only" };
  await iris.client.requestAccess({ did: owner.did, scopes: [interests], purpose });
  expect((await audience()).interests).toEqual({ agents: ["Iris"], everyone: null });
});

test("a standing grant is told of until it is used, and a general one for every agent", async () => {
  const until = new Date(testNow.getTime() + 60_000);
  await give({ agentPattern: iris.did, purposes: ["personalization"], expiresAt: until });
  const found = async () =>
    (await audienceOf(signedIn(engine, owner), { did: owner.did, categories: [interests] })).get(
      interests,
    );
  expect(await found()).toMatchObject({
    ...{ agents: [], takers: [{ name: "Iris", until }] },
    ...{ everyone: null, everyoneTakes: null },
  });
  await give({ purposes: ["analysis"], verifiedOnly: true });
  expect(await found()).toMatchObject({ everyone: null, everyoneTakes: "verified" });
  const purpose = { type: "personalization" };
  await iris.client.requestAccess({ did: owner.did, scopes: [interests], purpose });
  expect(await found()).toMatchObject({ agents: [{ name: "Iris", until }], takers: [] });
});

test("whom it names can read, and whom it leaves out cannot", async () => {
  await give({ verifiedOnly: true });
  await giveMemory(engine, owner.profileId, { category: interests, content: "Throws pots." });
  for (const { did } of [iris, atlas]) {
    await giveProposal(engine, { profileId: owner.profileId, agentDid: did });
  }
  expect((await audience()).interests.agents).toEqual(["Iris"]);
  const input = { did: owner.did, category: interests };
  expect(JSON.stringify((await iris.client.listMemories(input)).data)).toContain("Throws pots.");
  await expect(atlas.client.listMemories(input)).rejects.toMatchObject({ code: "PROF004" });
});

test("only the owner may ask", async () => {
  const stranger = signedIn(engine, await mintOwner(engine));
  const input = { did: owner.did, categories: [interests] };
  await expect(audienceOf(stranger, input)).rejects.toMatchObject({ code: "PROF002" });
  const asAgent = { ...stranger, caller: { kind: "agent", ...iris } as const };
  await expect(audienceOf(asAgent, input)).rejects.toMatchObject({ code: "PROF002" });
});
