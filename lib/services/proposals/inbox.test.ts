import { beforeEach, expect, test } from "vitest";
import { testEngine, testNow } from "@/lib/testing/harness";
import {
  giveProposal,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/lib/testing/personas";
import { countWaiting } from "../overview";
import { type InboxAsked, type InboxPlace, listInbox } from "./inbox";
import { listInboxFilters } from "./inbox-filters";
import { reviewProposal } from "./review";

const engine = await testEngine();
const day = 24 * 60 * 60_000;
let owner: Owner;
let agent: Minted;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  agent = await mintAgent(engine, { verified: true });
});

function ctx() {
  return signedIn(engine, owner);
}

function inbox(asked: Partial<InboxAsked> = {}) {
  return listInbox(ctx(), { did: owner.did, tab: "pending", limit: 10, ...asked });
}

function propose(
  given: { content?: string; category?: string; daysAgo?: number; by?: Minted } = {},
) {
  const { daysAgo = 0, by = agent, ...rest } = given;
  const proposedAt = new Date(testNow.getTime() - daysAgo * day);
  const expiresAt = new Date(proposedAt.getTime() + 7 * day);
  const told = { profileId: owner.profileId, agentDid: by.did, proposedAt, expiresAt };
  return giveProposal(engine, { ...told, ...rest });
}

test("what waits is listed newest first, with its agent by name", async () => {
  await propose({ content: "Older.", daysAgo: 2 });
  await propose({ content: "Newer.", daysAgo: 1 });
  const { items, pending, decided, next } = await inbox();
  expect(items.map(({ content }) => content)).toEqual(["Newer.", "Older."]);
  expect(items[0]).toMatchObject({
    agent: { did: agent.did, name: "Iris", verified: true },
    status: "pending",
    decidedAt: null,
    reviewedBy: null,
    memory: null,
  });
  expect({ pending, decided, next }).toEqual({ pending: 2, decided: 0, next: null });
});

test("what is decided tells how, by whom, why, and what it became", async () => {
  const approved = await propose({ content: "Likes tea." });
  const rejected = await propose({ content: "Likes rain." });
  const { did } = owner;
  await reviewProposal(ctx(), {
    did,
    proposalId: approved.id,
    action: "approve",
    editedContent: "Likes green tea.",
  });
  engine.setNow(new Date(testNow.getTime() + 1_000));
  await reviewProposal(ctx(), { did, proposalId: rejected.id, action: "reject", reason: "No." });
  const { items } = await inbox({ tab: "decided" });
  expect(items).toMatchObject([
    { id: rejected.id, status: "rejected", reason: "No.", reviewedBy: did, memory: null },
    { id: approved.id, status: "approved", memory: { content: "Likes green tea." } },
  ]);
});

test("one that ran out counts as decided by nobody, before any sweep", async () => {
  const { id, expiresAt } = await propose({ daysAgo: 8 });
  expect((await inbox()).items).toEqual([]);
  const { items, pending, decided } = await inbox({ tab: "decided" });
  expect(items).toMatchObject([
    { id, status: "rejected", reason: "expired", reviewedBy: null, decidedAt: expiresAt },
  ]);
  expect({ pending, decided }).toEqual({ pending: 0, decided: 1 });
  expect(await countWaiting(ctx(), owner.profileId)).toEqual({ proposals: 0, requests: 0 });
});

test.each(["pending", "decided"] as const)(
  "pages of %s follow each other without a gap",
  async (tab) => {
    const made = await Promise.all(Array.from({ length: 7 }, () => propose()));
    if (tab === "decided") {
      for (const { id: proposalId } of made) {
        await reviewProposal(ctx(), { did: owner.did, proposalId, action: "reject" });
      }
    }
    const seen: string[] = [];
    let after: InboxPlace | undefined;
    do {
      const { items, next } = await inbox({ tab, after, limit: 3 });
      seen.push(...items.map(({ id }) => id));
      after = next ?? undefined;
    } while (after !== undefined);
    expect([...seen].sort()).toEqual(made.map(({ id }) => id).sort());
  },
);

test("it narrows to an agent, and to a category with everything below it", async () => {
  const other = await mintAgent(engine, { name: "Atlas" });
  await propose({ content: "Travel.", category: "prof:preferences.travel" });
  await propose({ content: "All.", category: "prof:preferences", by: other });
  await propose({ content: "Alike.", category: "prof:preferences_of_others", by: other });
  const contents = async (asked: Partial<InboxAsked>) =>
    (await inbox(asked)).items.map(({ content }) => content).sort();
  expect(await contents({ agentDid: other.did })).toEqual(["Alike.", "All."]);
  expect(await contents({ category: "prof:preferences" })).toEqual(["All.", "Travel."]);
  expect(await listInboxFilters(ctx(), owner.did)).toEqual({
    agents: [
      { did: other.did, name: "Atlas", verified: false },
      { did: agent.did, name: "Iris", verified: true },
    ],
    categories: ["prof:preferences", "prof:preferences.travel", "prof:preferences_of_others"],
  });
});

test("nobody else sees it, agents included", async () => {
  await propose();
  const { did } = owner;
  const stranger = signedIn(engine, await mintOwner(engine));
  const asAgent = { ...ctx(), caller: { kind: "agent", did: agent.did } as const };
  for (const other of [stranger, asAgent]) {
    await expect(listInbox(other, { did, tab: "pending", limit: 1 })).rejects.toMatchObject({
      code: "PROF002",
    });
    await expect(listInboxFilters(other, did)).rejects.toMatchObject({ code: "PROF002" });
  }
});
