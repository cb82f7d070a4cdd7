import { beforeEach, describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { archiveVersion, type ProfileArchive } from "@/lib/protocol/archive/profile-archive";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  eventsOf,
  giveMemory,
  giveNamedValue,
  giveProposal,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { importProfile } from "./archive/import";
import { packArchive } from "./archive/pack-archive";
import { categoriesMax } from "./categories";
import { addMemory } from "./memories/add";
import { changeMemoryState, editMemory } from "./memories/edit";
import { addNamedValue } from "./profile-values/named-values";
import { reviewProposal } from "./proposals/deciding/review";
import { reviewMany } from "./proposals/deciding/review-many";

const engine = await testEngine();
const proposing = [{ allow: ["prof:*"], permissions: ["read", "propose"] as ["read", "propose"] }];
let owner: Owner;

beforeEach(async () => {
  owner = await mintOwner(engine, { policies: proposing });
});

function ctx() {
  return signedIn(engine, owner);
}

/** Live memories in that many categories, the first of them in prof:c1. */
async function fill(count: number) {
  await engine.pool.query(
    `INSERT INTO "Memory" (id, "profileId", category, content, confidence, source, "createdAt", "updatedAt")
     SELECT $1 || lpad(n::text, 6, '0'), $2, 'prof:c' || n, 'a memory', 1, 'owner', $4, $4
     FROM generate_series(1, $3::int) n`,
    [newId("mem").slice(0, 20), owner.profileId, count, testNow],
  );
}

function add(category: string) {
  return addMemory(ctx(), { did: owner.did, category, content: "x", confidence: 1 });
}

const refusal = {
  code: "PROF006",
  message: expect.stringContaining("A profile has at most 500 categories"),
};

describe(`with ${categoriesMax} categories, one more is refused`, () => {
  test("to a memory that the owner writes down; in one that is there it is not", async () => {
    await fill(categoriesMax);
    await expect(add("prof:new")).rejects.toMatchObject(refusal);
    await add("prof:c1");
    const outcomes = (await eventsOf(engine, owner.profileId)).map(({ outcome }) => outcome);
    expect(outcomes.sort()).toEqual(["PROF006", "ok"]);
  });

  test("to a memory that moves, or comes back from the archive", async () => {
    await fill(categoriesMax);
    const { did, profileId } = owner;
    const times = { createdAt: testNow, updatedAt: testNow };
    const away = { category: "prof:new", archivedAt: testNow };
    const { id: archived } = await giveMemory(engine, profileId, { ...times, ...away });
    const back = changeMemoryState(ctx(), { did, memoryId: archived, how: "unarchive" });
    await expect(back).rejects.toMatchObject(refusal);
    const { id: memoryId } = await giveMemory(engine, profileId, { ...times, category: "prof:c1" });
    const moving = { did, memoryId, seen: testNow };
    const move = (category: string) => editMemory(ctx(), { ...moving, category });
    await expect(move("prof:new")).rejects.toMatchObject(refusal);
    expect(await move("prof:c2")).not.toBeNull();
  });

  test("to a named value, and a named value counts", async () => {
    await fill(categoriesMax - 1);
    const { did, profileId } = owner;
    await giveNamedValue(engine, profileId, { category: "prof:named", name: "one", value: 1 });
    const name = (category: string) =>
      addNamedValue(ctx(), { did, category, name: "two", value: 2 });
    await expect(name("prof:new")).rejects.toMatchObject(refusal);
    await expect(add("prof:new")).rejects.toMatchObject(refusal);
    await name("prof:named");
    await add("prof:named");
  });

  test("to nobody who proposes: the answer does not tell which categories exist", async () => {
    await fill(categoriesMax);
    const agent = await mintAgent(engine);
    const propose = async (category: string) => {
      const proposed = await agent.client.proposeMemory({ did: owner.did, content: "x", category });
      return { status: proposed.status, state: proposed.data.status };
    };
    expect(await propose("prof:new")).toEqual(await propose("prof:c1"));
  });

  test("to an approval; the proposal waits on", async () => {
    const agent = await mintAgent(engine);
    const { profileId, did } = owner;
    const give = (category: string) =>
      giveProposal(engine, { profileId, agentDid: agent.did, category });
    const { id: proposalId } = await give("prof:new");
    const { id: other } = await give("prof:c1");
    await fill(categoriesMax);
    const review = (id: string, action: "approve" | "reject") =>
      reviewProposal(ctx(), { did, proposalId: id, action });
    await expect(review(proposalId, "approve")).rejects.toMatchObject(refusal);
    expect(await review(other, "approve")).toMatchObject({ status: "approved" });
    expect(await review(proposalId, "reject")).toMatchObject({ status: "rejected" });
  });

  test("to one of many approvals; the others are made", async () => {
    const agent = await mintAgent(engine);
    const { profileId, did } = owner;
    const give = (category: string) =>
      giveProposal(engine, { profileId, agentDid: agent.did, category });
    const [{ id: fits }, { id: beyond }] = [await give("prof:c1"), await give("prof:new")];
    await fill(categoriesMax);
    const many = { did, proposalIds: [beyond, fits], action: "approve" as const };
    expect(await reviewMany(ctx(), many)).toMatchObject([
      { proposalId: beyond, status: "left", why: "no_room" },
      { proposalId: fits, status: "approved" },
    ]);
  });

  test("to an import", async () => {
    owner = await mintOwner(engine);
    const archive = packArchive(archiveOf(categoriesMax + 1));
    const importing = { did: owner.did, archive, switchPoliciesOn: true };
    await expect(importProfile(ctx(), importing)).rejects.toMatchObject(refusal);
    expect(await engine.db.memory.count({ where: { profileId: owner.profileId } })).toBe(0);
  });
});

test("only memories that fit are added concurrently", async () => {
  await fill(categoriesMax - 1);
  const adding = ["prof:x", "prof:y", "prof:z", "prof:x"].map(add);
  const added = (await Promise.allSettled(adding)).filter(({ status }) => status === "fulfilled");
  const categories = await engine.db.memory.groupBy({
    by: ["category"],
    where: { profileId: owner.profileId },
  });
  expect(categories).toHaveLength(categoriesMax);
  expect(added.length).toBeGreaterThan(0);
});

test("a profile with more categories is read up to the maximum", async () => {
  await fill(categoriesMax + 100);
  const agent = await mintAgent(engine);
  const { data } = await agent.client.getProfile({ did: owner.did });
  expect(Object.keys(data.memories)).toHaveLength(categoriesMax);
  const { meta } = await agent.client.listMemories({ did: owner.did });
  expect(meta.total).toBe(categoriesMax);
  await add("prof:c1");
});

function archiveOf(categories: number): ProfileArchive {
  const at = testNow.toISOString();
  const none = { proposals: [], policies: [], consentRequests: [], receipts: [], tokens: [] };
  return {
    format: "profile-archive",
    version: archiveVersion,
    exportedAt: at,
    profile: { did: owner.did, profileType: "human", version: "1.0", common: {}, createdAt: at },
    namedValues: [],
    memories: Array.from({ length: categories }, (_, index) => ({
      id: newId("mem"),
      category: `prof:c${index}`,
      content: "a memory",
      confidence: 1,
      source: "owner",
      agentDid: null,
      proposalId: null,
      createdAt: at,
      updatedAt: at,
      archivedAt: null,
      deletedAt: null,
      revisions: [],
    })),
    keys: [],
    events: [],
    ...none,
  };
}
