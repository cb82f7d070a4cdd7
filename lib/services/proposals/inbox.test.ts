import { beforeEach, expect, test } from "vitest";
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
import { countForNavigation } from "../overview";
import { reviewProposal } from "./deciding/review";
import { type InboxPlace, type InboxQuery, inboxOrders, inboxTabs, listInbox } from "./inbox";
import { listInboxFilters } from "./inbox-filters";

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

function inbox(input: Partial<InboxQuery> = {}) {
  return listInbox(ctx(), { did: owner.did, tab: "pending", limit: 10, ...input });
}

function propose(
  given: { content?: string; category?: string; daysAgo?: number; by?: Minted } = {},
) {
  const { daysAgo = 0, by = agent, ...rest } = given;
  const proposedAt = new Date(testNow.getTime() - daysAgo * day);
  const expiresAt = new Date(proposedAt.getTime() + 7 * day);
  const proposed = { profileId: owner.profileId, agentDid: by.did, proposedAt, expiresAt };
  return giveProposal(engine, { ...proposed, ...rest });
}

test("pending proposals are listed newest first, with the agent's name", async () => {
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

test("decided proposals show outcome, reviewer, reason and memory", async () => {
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

test("an expired proposal counts as decided by nobody before the job has run", async () => {
  const { id, expiresAt } = await propose({ daysAgo: 8 });
  expect((await inbox()).items).toEqual([]);
  const { items, pending, decided } = await inbox({ tab: "decided" });
  expect(items).toMatchObject([
    { id, status: "rejected", reason: "expired", reviewedBy: null, decidedAt: expiresAt },
  ]);
  expect({ pending, decided }).toEqual({ pending: 0, decided: 1 });
  expect(await countForNavigation(ctx(), owner.profileId)).toMatchObject({
    proposals: 0,
    requests: 0,
  });
});

const everyOrder = inboxTabs.flatMap((tab) => inboxOrders[tab].map((order) => ({ tab, order })));

test.each(everyOrder)(
  "pages of $tab, $order first, follow each other without a gap",
  async (input) => {
    const made = await Promise.all(
      Array.from({ length: 7 }, (_, n) => propose({ daysAgo: n % 3 })),
    );
    if (input.tab === "decided") {
      for (const { id: proposalId } of made) {
        await reviewProposal(ctx(), { did: owner.did, proposalId, action: "reject" });
      }
    }
    const seen: string[] = [];
    let after: InboxPlace | undefined;
    do {
      const { items, next } = await inbox({ ...input, after, limit: 3 });
      seen.push(...items.map(({ id }) => id));
      after = next ?? undefined;
    } while (after !== undefined);
    expect([...seen].sort()).toEqual(made.map(({ id }) => id).sort());
  },
);

test("pending proposals can be sorted in every order", async () => {
  const given = { profileId: owner.profileId, agentDid: agent.did };
  const at = (days: number) => new Date(testNow.getTime() + days * day);
  const make = (content: string, confidence: number, proposed: number, expires: number) =>
    giveProposal(engine, {
      ...given,
      content,
      confidence,
      proposedAt: at(proposed),
      expiresAt: at(expires),
    });
  await make("a", 0.5, -3, 3);
  await make("b", 0.9, -2, 1);
  await make("c", 0.7, -1, 2);
  const orderOf = async (order: InboxQuery["order"]) =>
    (await inbox({ order })).items.map(({ content }) => content).join("");
  expect(await orderOf("newest")).toBe("cba");
  expect(await orderOf("oldest")).toBe("abc");
  expect(await orderOf("expiring")).toBe("bca");
  expect(await orderOf("confident")).toBe("bca");
});

test("pages by confidence leave none out, however little it is", async () => {
  const { did: agentDid } = agent;
  for (const confidence of [1, 0.7, 1.2345678901234567e-6, 1e-300, 0]) {
    const content = `Sure by ${confidence}.`;
    const { profileId } = owner;
    await giveProposal(engine, { profileId, agentDid, content, confidence });
  }
  const seen: string[] = [];
  let after: InboxPlace | undefined;
  for (let pages = 0; pages < 5; pages++) {
    const { items, next } = await inbox({ order: "confident", limit: 1, after });
    seen.push(...items.map(({ content }) => content));
    after = next ?? undefined;
  }
  expect(after).toBeUndefined();
  expect(seen).toEqual([
    "Sure by 1.",
    "Sure by 0.7.",
    "Sure by 0.0000012345678901234567.",
    "Sure by 1e-300.",
    "Sure by 0.",
  ]);
});

test("a place that is none is the beginning", async () => {
  await propose();
  for (const order of inboxOrders.pending) {
    expect((await inbox({ order, after: { at: "'; --", id: "x" } })).items).toHaveLength(1);
  }
});

test("it finds words and parts of words in any order and case, and takes wildcards as they are", async () => {
  await propose({ content: "Likes green tea from Ethiopia." });
  await propose({ content: "Gives 100% to a snake_case." });
  const found = async (search: string) =>
    (await inbox({ search })).items.map(({ content }) => content.slice(0, 5));
  expect(await found("ETHIO  green")).toEqual(["Likes"]);
  expect(await found("green coffee")).toEqual([]);
  expect(await found("100%")).toEqual(["Gives"]);
  expect(await found("e_case")).toEqual(["Gives"]);
  expect(await found("1%0")).toEqual([]);
  expect(await found("\\")).toEqual([]);
  expect((await inbox({ search: "tea" })).pending).toBe(1);
});

test("decided proposals can be filtered by outcome and searched", async () => {
  const { did } = owner;
  const approved = await propose({ content: "Likes tea." });
  const rejected = await propose({ content: "Likes rain." });
  const expired = await propose({ content: "Likes snow.", daysAgo: 8 });
  await reviewProposal(ctx(), { did, proposalId: approved.id, action: "approve" });
  await reviewProposal(ctx(), { did, proposalId: rejected.id, action: "reject" });
  for (const [outcome, { id }] of Object.entries({ approved, rejected, expired })) {
    const input = { tab: "decided", outcome: outcome as InboxQuery["outcome"] } as const;
    expect((await inbox(input)).items).toMatchObject([{ id }]);
  }
  expect((await inbox({ tab: "decided", search: "rain" })).items).toMatchObject([
    { id: rejected.id, isReopenable: true },
  ]);
  const all = (await inbox({ tab: "decided" })).items;
  expect(all.filter((item) => !item.isReopenable).map(({ id }) => id)).toEqual([expired.id]);
});

test("what waits knows equal text in live memories and in what its owner rejected, and nothing else", async () => {
  const { did, profileId } = owner;
  const memory = await giveMemory(engine, profileId, {
    content: "Likes TEA.",
    category: "prof:food",
  });
  await giveMemory(engine, profileId, { content: "Likes rain.", archivedAt: testNow });
  await giveMemory(engine, (await mintOwner(engine)).profileId, { content: "Likes snow." });
  const reviews: [string, "approve" | "reject"][] = [
    ["Likes hail.", "reject"],
    ["Likes fog.", "approve"],
  ];
  for (const [content, action] of reviews) {
    const { id: proposalId } = await propose({ content });
    await reviewProposal(ctx(), { did, proposalId, action });
  }
  await propose({ content: "Likes wind.", daysAgo: 8 });
  const known = async (content: string) => {
    const { id } = await propose({ content });
    const [item] = (await inbox({ proposalId: id })).items;
    return { same: item?.same?.id ?? null, rejectedAt: item?.rejectedAt ?? null };
  };
  expect(await known("\t likes tea.\n")).toEqual({ same: memory.id, rejectedAt: null });
  expect(await known("LIKES HAIL. ")).toEqual({ same: null, rejectedAt: testNow });
  for (const content of ["Likes tea!", "likes rain.", "likes snow.", "likes wind."]) {
    expect(await known(content), content).toEqual({ same: null, rejectedAt: null });
  }
  expect(await known("likes fog.")).toMatchObject({ rejectedAt: null });
});

test("what waits is counted by agent and by kind, also beyond the page", async () => {
  const other = await mintAgent(engine, { name: "Atlas" });
  await propose({ category: "prof:preferences.travel" });
  await propose({ category: "prof:preferences" });
  await propose({ category: "prof:health", by: other });
  await propose({ category: "prof:health", by: other, daysAgo: 8 });
  expect((await inbox({ limit: 1 })).groups).toEqual({
    [agent.did]: 2,
    [other.did]: 1,
    "prof:preferences": 2,
    "prof:health": 1,
  });
  expect((await inbox({ category: "prof:health" })).groups).toEqual({
    [other.did]: 1,
    "prof:health": 1,
  });
});

test("one is found by its id", async () => {
  await propose();
  const { id } = await propose();
  expect((await inbox({ proposalId: id })).items.map((item) => item.id)).toEqual([id]);
});

test("it narrows to an agent, and to a category with everything below it", async () => {
  const other = await mintAgent(engine, { name: "Atlas" });
  await propose({ content: "Travel.", category: "prof:preferences.travel" });
  await propose({ content: "All.", category: "prof:preferences", by: other });
  await propose({ content: "Alike.", category: "prof:preferences_of_others", by: other });
  const contents = async (input: Partial<InboxQuery>) =>
    (await inbox(input)).items.map(({ content }) => content).sort();
  expect(await contents({ agentDid: other.did })).toEqual(["Alike.", "All."]);
  expect(await contents({ category: "prof:preferences" })).toEqual(["All.", "Travel."]);
  expect(await listInboxFilters(ctx(), owner.did)).toEqual({
    agents: [
      { did: other.did, name: "Atlas", verified: false },
      { did: agent.did, name: "Iris", verified: true },
    ],
    categories: ["prof:preferences", "prof:preferences.travel", "prof:preferences_of_others"],
    own: [],
  });
});

test("nobody but the owner sees it", async () => {
  await propose();
  const { did } = owner;
  const stranger = signedIn(engine, await mintOwner(engine));
  const asAgent = { ...ctx(), caller: { kind: "agent", ...agent } as const };
  for (const other of [stranger, asAgent]) {
    await expect(listInbox(other, { did, tab: "pending", limit: 1 })).rejects.toMatchObject({
      code: "PROF002",
    });
    await expect(listInboxFilters(other, did)).rejects.toMatchObject({ code: "PROF002" });
  }
});

test("names what agents took back within a day, and nothing that the owner rejected", async () => {
  const reject = async (reason: string, more: { minutes?: number; reviewedBy?: string } = {}) => {
    const { minutes = 0, reviewedBy } = more;
    const { id } = await propose();
    const reviewedAt = new Date(testNow.getTime() - minutes * 60_000);
    const data = { status: "rejected", reason, reviewedAt, reviewedBy } as const;
    await engine.db.proposal.update({ where: { id }, data });
    return id;
  };
  await propose();
  const takenBack = await reject("withdrawn", { minutes: 60 });
  await reject("withdrawn", { minutes: 25 * 60 });
  await reject("withdrawn", { reviewedBy: owner.did });
  await reject("expired");
  expect(await inbox()).toMatchObject({ pending: 1, takenBack: [takenBack] });
  expect((await inbox({ category: "prof:health" })).takenBack).toEqual([]);
});
