import { beforeEach, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  giveMemory,
  giveProposal,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { findResembling } from "./resembling";

const engine = await testEngine();
let owner: Owner;
let agent: Minted;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  agent = await mintAgent(engine);
});

function propose(content: string, given: { proposedAt?: Date; expiresAt?: Date } = {}) {
  return giveProposal(engine, {
    profileId: owner.profileId,
    agentDid: agent.did,
    content,
    ...given,
  });
}

async function resembling(proposalId: string) {
  const input = { did: owner.did, proposalIds: [proposalId] };
  const found = await findResembling(signedIn(engine, owner), input);
  return found.get(proposalId)?.near.map(({ kind, content }) => [kind, content]);
}

test.each([
  ["Likes green tea.", "Likes green tea in the morning.", true],
  ["Prefers window seats on long flights.", "Prefers aisle seats on long flights.", true],
  ["Works as a nurse in Ghent.", "Works as a doctor in Ghent.", true],
  ["Is allergic to peanuts.", "Allergic to peanuts and shellfish.", true],
  ["Needs a car park near the hotel.", "Wants a hotel with a car park.", true],
  ["Prefers short answers without lists.", "Prefers answers in short sentences.", true],
  ["Plays the cello in an amateur orchestra.", "Plays chess in a club.", false],
  ["Lives in Lisbon with two children.", "Reads about the sea.", false],
])("whether %s resembles %s: %s", async (content, known, isNear) => {
  await giveMemory(engine, owner.profileId, { content: known });
  const { id } = await propose(content);
  expect(await resembling(id)).toEqual(isNear ? [["memory", known]] : []);
});

test("the nearest three come first, memories and waiting proposals alike", async () => {
  for (const content of ["Likes green tea at noon on Sundays.", "Likes green tea!"]) {
    await giveMemory(engine, owner.profileId, { content });
  }
  await propose("Likes green tea now.");
  await propose("Likes green tea at noon with milk and honey.");
  const { id } = await propose("Likes green tea.");
  expect(await resembling(id)).toEqual([
    ["memory", "Likes green tea!"],
    ["proposal", "Likes green tea now."],
    ["memory", "Likes green tea at noon on Sundays."],
  ]);
});

test("archived, deleted, expired, decided and other users' items are no match", async () => {
  const stranger = await mintOwner(engine);
  const content = "Likes green tea.";
  await giveMemory(engine, owner.profileId, { content, archivedAt: testNow });
  await giveMemory(engine, owner.profileId, { content, deletedAt: testNow });
  await giveMemory(engine, stranger.profileId, { content });
  await propose("Likes green tea!", { proposedAt: new Date(0), expiresAt: testNow });
  await giveProposal(engine, { profileId: stranger.profileId, agentDid: agent.did, content });
  const { id } = await propose(content);
  expect(await resembling(id)).toEqual([]);
});

const precisions = ["year", "month", "day"] as const;

test.each([
  ["2024-09", "2026-01-20", true],
  ["2026-02", "2026-01-20", false],
  ["2026", "2026-01-20", false],
  [null, "2026-01-20", false],
])(
  "a memory is newer than what was claimed for an earlier day only: %s, %s",
  async (own, theirs, isNewer) => {
    const content = "Works at the mill in Ghent.";
    const batch = { profileId: owner.profileId, agentDid: agent.did, format: "jsonl" };
    const { id: batchId } = await engine.db.importBatch.create({
      data: {
        ...batch,
        id: newId("imp"),
        name: "A list",
        items: 2,
        known: 0,
        leftOut: {},
        createdAt: testNow,
      },
    });
    const given = { profileId: owner.profileId, agentDid: agent.did, batchId };
    const claiming = (claimed: string | null) => ({
      ...{ ...given, claimed },
      claimedPrecision: claimed === null ? null : precisions[claimed.split("-").length - 1],
    });
    const kept = await giveProposal(engine, { ...claiming(theirs), content });
    await giveMemory(engine, owner.profileId, { content, proposalId: kept.id });
    const { id } = await giveProposal(engine, {
      ...claiming(own),
      content: `${content} Now.`,
    });
    const input = { did: owner.did, proposalIds: [id] };
    const found = await findResembling(signedIn(engine, owner), input);
    const memory = found.get(id)?.near.find(({ kind }) => kind === "memory");
    expect(memory?.isNewer).toBe(isNewer);
  },
);

test("a memory that was approved late is as old as what an agent said", async () => {
  const day = (ago: number) => new Date(testNow.getTime() - ago * 24 * 60 * 60_000);
  const given = { profileId: owner.profileId, agentDid: agent.did };
  const content = "Works at the mill in Ghent.";
  const kept = await giveProposal(engine, { ...given, content, proposedAt: day(2) });
  await giveMemory(engine, owner.profileId, { content, proposalId: kept.id });
  const { id } = await giveProposal(engine, {
    ...given,
    content: `${content} Yes.`,
    proposedAt: day(1),
  });
  const found = await findResembling(signedIn(engine, owner), {
    did: owner.did,
    proposalIds: [id],
  });
  expect(found.get(id)?.near.find(({ kind }) => kind === "memory")).toMatchObject({
    isNewer: false,
  });
});

test("long texts are compared by their beginning", async () => {
  const long = "Rambles on about tea. ".repeat(450).trim();
  await giveMemory(engine, owner.profileId, { content: long });
  const { id } = await propose(`${long} Enough.`.slice(0, 10_000));
  const found = await findResembling(signedIn(engine, owner), {
    did: owner.did,
    proposalIds: [id],
  });
  const same = { isCut: true, content: long.slice(0, 500), likeness: 1, relation: "same" };
  expect(found.get(id)?.near).toMatchObject([same]);
});

test("no text is too odd to be kept and compared", async () => {
  const letters = Array.from({ length: 9_000 }, (_, place) =>
    ((place * 2_654_435_761) % 36).toString(36),
  ).join("");
  await giveMemory(engine, owner.profileId, { content: letters });
  const { id } = await propose(letters);
  expect(await resembling(id)).toHaveLength(1);
});

test("only the owner may ask", async () => {
  const { id } = await propose("Likes tea.");
  const input = { did: owner.did, proposalIds: [id] };
  const stranger = signedIn(engine, await mintOwner(engine));
  const asAgent = { ...stranger, caller: { kind: "agent", ...agent } as const };
  for (const other of [stranger, asAgent]) {
    await expect(findResembling(other, input)).rejects.toMatchObject({ code: "PROF002" });
  }
});
