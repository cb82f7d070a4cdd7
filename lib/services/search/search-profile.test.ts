import { expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  giveEvent,
  giveMemory,
  givePolicy,
  giveProposal,
  mintAgent,
  mintOwner,
  signedIn,
} from "@/tests/support/personas";
import { searchMemories, searchProfile } from "./search-profile";

const engine = await testEngine();
const [owner, other] = [await mintOwner(engine), await mintOwner(engine)];
const agent = await mintAgent(engine, { name: "Quince helper" });
const ctx = signedIn(engine, owner);
for (const { profileId } of [owner, other]) {
  await giveMemory(engine, profileId, { content: "Likes quince." });
  await giveMemory(engine, profileId, { content: "Likes plums." });
  await giveProposal(engine, { profileId, agentDid: agent.did, content: "Grows quince." });
  await giveProposal(engine, { profileId, agentDid: agent.did, content: "Grows plums." });
  await giveEvent(engine, { profileId, actorId: agent.did });
}

test("words find the profile's own proposals, memories and agents, and nothing of another's", async () => {
  const { did } = owner;
  const found = await searchProfile(ctx, { did, search: "quince", limit: 5 });
  expect(found.proposals.map(({ content }) => content)).toEqual(["Grows quince."]);
  expect(found.memories.map(({ content }) => content)).toEqual(["Likes quince."]);
  expect(found.agents.map((one) => one.agent.did)).toEqual([agent.did]);
});

test("with words all that waits and every rule that has not ended is there to compare", async () => {
  const busy = await mintOwner(engine);
  const { did, profileId } = busy;
  const request = { profileId, agentDid: agent.did, scopes: ["prof:health"], requestedAt: testNow };
  const purposes = Array.from({ length: 60 }, (_, at) => `purpose-${at}`);
  await engine.db.consentRequest.createMany({
    data: purposes.map((purposeType) => ({ ...request, purposeType, id: newId("creq") })),
  });
  const rule = await givePolicy(engine, profileId, { agentPattern: agent.did });
  await givePolicy(engine, profileId, { expiresAt: new Date(testNow.getTime() - 1) });
  const { requests, policies } = await searchProfile(signedIn(engine, busy), {
    did,
    search: "x",
    limit: 5,
  });
  expect(requests).toHaveLength(purposes.length);
  expect(policies).toMatchObject([{ id: rule.id, agent: { name: "Quince helper" } }]);
});

test("without words only what waits is found", async () => {
  const found = await searchProfile(ctx, { did: owner.did, limit: 1 });
  expect(found).toMatchObject({ memories: [], agents: [], policies: [] });
  expect(found.proposals).toHaveLength(1);
});

test("without words the newest memories are found", async () => {
  expect(await searchMemories(ctx, { did: owner.did, limit: 5 })).toHaveLength(2);
});

test("another's profile is refused", async () => {
  const query = { did: other.did, search: "quince", limit: 5 };
  await expect(searchProfile(ctx, query)).rejects.toMatchObject({ code: "PROF002" });
});
