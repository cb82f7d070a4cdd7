import { beforeEach, describe, expect, test } from "vitest";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  eventsOf,
  giveMemory,
  givePolicy,
  giveProposal,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { liftRejection } from "./rejections";
import { reopenProposals } from "./reopen";
import { type ReviewInput, reviewProposal } from "./review";

const engine = await testEngine();
const day = 24 * 60 * 60_000;
let owner: Owner;
let agent: Minted;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  agent = await mintAgent(engine);
});

function ctx() {
  return signedIn(engine, owner);
}

function propose(content = "Likes tea.") {
  return giveProposal(engine, { profileId: owner.profileId, agentDid: agent.did, content });
}

function review(proposalId: string, how: Partial<Omit<ReviewInput, "did">> = {}) {
  return reviewProposal(ctx(), { did: owner.did, proposalId, action: "approve", ...how });
}

function reopen(...proposalIds: string[]) {
  return reopenProposals(ctx(), { did: owner.did, proposalIds });
}

function proposalOf(id: string) {
  return engine.db.proposal.findUniqueOrThrow({ where: { id } });
}

function memories() {
  return engine.db.memory.findMany({
    where: { profileId: owner.profileId },
    include: { revisions: true },
  });
}

const waiting = { status: "pending", reviewedAt: null, reviewedBy: null, reason: null };
const refused = { code: "PROF006" };

test("an approval is taken back: it waits again, its memory is gone, and the owner can read of it", async () => {
  const { id } = await propose();
  await review(id);
  await reopen(id);
  expect(await proposalOf(id)).toMatchObject(waiting);
  expect(await memories()).toEqual([]);
  const event = (await eventsOf(engine, owner.profileId)).find(
    ({ verb }) => verb === "reopenProposal",
  );
  expect(event).toMatchObject({ outcome: "ok", actor: "owner", subjectId: id });
});

test("a rejection is undone with its reason, and can then be decided again", async () => {
  const { id } = await propose();
  await review(id, { action: "reject", reason: "No." });
  await reopen(id);
  expect(await proposalOf(id)).toMatchObject(waiting);
  expect(await review(id)).toMatchObject({ status: "approved" });
});

test("the log keeps the decision that is taken back, and the reason given for it", async () => {
  const [rejected, approved] = [await propose(), await propose("Likes rain.")];
  await review(rejected.id, { action: "reject", reason: "Not any more." });
  await review(approved.id);
  await reopen(rejected.id, approved.id);
  const events = await eventsOf(engine, owner.profileId);
  const detailOf = (id: string) =>
    events.find(({ verb, subjectId }) => verb === "reopenProposal" && subjectId === id)?.detail;
  expect(detailOf(rejected.id)).toEqual({
    before: { status: "rejected", reason: "Not any more." },
  });
  expect(detailOf(approved.id)).toEqual({ before: { status: "approved", reason: null } });
});

describe("by a session that was confirmed an hour ago", () => {
  beforeEach(async () => {
    const confirmedAt = new Date(testNow.getTime() - 60 * 60_000);
    await engine.db.session.update({ where: { id: owner.sessionId }, data: { confirmedAt } });
  });

  test("an approval with words of the owner's own is not taken back: they would be lost", async () => {
    const [edited, other] = [await propose(), await propose("Likes rain.")];
    await review(edited.id, { editedContent: "Likes green tea." });
    await review(other.id);
    await expect(reopen(edited.id, other.id)).rejects.toMatchObject({
      code: "PROF002",
      details: { confirm: true },
    });
    expect(await proposalOf(other.id)).toMatchObject({ status: "approved" });
    const contents = (await memories()).map(({ content }) => content);
    expect(contents.toSorted()).toEqual(["Likes green tea.", "Likes rain."]);
  });

  test("an approval of the agent's words is", async () => {
    const { id } = await propose();
    await review(id);
    await reopen(id);
    expect(await memories()).toEqual([]);
  });
});

test("a memory that was changed since stays, and so does the decision", async () => {
  const { id } = await propose();
  await review(id);
  const { id: memoryId, ...memory } = await engine.db.memory.findUniqueOrThrow({
    where: { proposalId: id },
  });
  const { category, content, confidence } = memory;
  await engine.db.memoryRevision.create({
    data: { createdAt: testNow, memoryId, category, content, confidence, cause: "edited" },
  });
  await expect(reopen(id)).rejects.toMatchObject(refused);
  expect(await proposalOf(id)).toMatchObject({ status: "approved" });
  expect(await memories()).toHaveLength(1);
});

test.each(["archivedAt", "deletedAt"])("so does one with %s", async (at) => {
  const { id } = await propose();
  await review(id);
  await engine.db.memory.updateMany({ where: { proposalId: id }, data: { [at]: testNow } });
  await expect(reopen(id)).rejects.toMatchObject(refused);
  expect(await memories()).toHaveLength(1);
});

test("after its end a decision stands", async () => {
  const { id, expiresAt } = await propose();
  await review(id);
  engine.setNow(expiresAt);
  await expect(reopen(id)).rejects.toMatchObject(refused);
  expect(await proposalOf(id)).toMatchObject({ status: "approved" });
});

test("an expired proposal cannot be reopened", async () => {
  const { id } = await propose();
  await engine.db.proposal.update({
    where: { id },
    data: { status: "rejected", reviewedAt: testNow, reason: "expired" },
  });
  await expect(reopen(id)).rejects.toMatchObject(refused);
});

test("a proposal that was repeated since is not reopened", async () => {
  await givePolicy(engine, owner.profileId, { permissions: ["propose"] });
  const { id } = await propose("Likes rain.");
  await review(id, { action: "reject" });
  const input = {
    did: owner.did,
    category: "prof:interests",
    content: "Likes rain.",
    confidence: 1,
  };
  const { id: rejectionId } = await engine.db.rejection.findUniqueOrThrow({
    where: { proposalId: id },
  });
  await liftRejection(ctx(), { did: owner.did, rejectionId });
  await agent.client.proposeMemory(input);
  await expect(reopen(id)).rejects.toMatchObject(refused);
  expect(await proposalOf(id)).toMatchObject({ status: "rejected" });
});

test("one of a concurrent undo and repeated proposal is pending", async () => {
  await givePolicy(engine, owner.profileId, { permissions: ["propose"] });
  for (let round = 0; round < 5; round++) {
    const content = `Likes rain ${round}.`;
    const { id } = await propose(content);
    await review(id, { action: "reject" });
    const input = { did: owner.did, category: "prof:interests", content, confidence: 1 };
    const [undone, proposed] = await Promise.allSettled([
      reopen(id),
      agent.client.proposeMemory(input),
    ]);
    // The agent is answered with the rejection, or finds the proposal that waits again.
    expect(undone.status).toBe("fulfilled");
    if (proposed.status === "rejected") {
      expect(proposed.reason).toMatchObject({ details: { status: "already_rejected" } });
    }
    const where = { profileId: owner.profileId, content, status: "pending" } as const;
    expect(await engine.db.proposal.count({ where })).toBe(1);
  }
});

test("one of ten concurrent undos succeeds, with one event", async () => {
  const { id } = await propose();
  await review(id);
  const all = await Promise.allSettled(Array.from({ length: 10 }, () => reopen(id)));
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const events = await eventsOf(engine, owner.profileId);
  const undone = events.filter(
    ({ verb, outcome }) => verb === "reopenProposal" && outcome === "ok",
  );
  expect(undone).toHaveLength(1);
});

test("the memory whose place it took is back as it was, history included", async () => {
  const old = await giveMemory(engine, owner.profileId, { content: "Likes black tea." });
  const { id } = await propose();
  const reviewed = await review(id, { replaces: old.id });
  const memoryId = "memoryId" in reviewed ? reviewed.memoryId : "";
  const replaced = (await memories()).find((one) => one.id === old.id);
  expect(replaced).toMatchObject({ archivedAt: testNow, replacedById: memoryId });
  expect(replaced?.revisions).toMatchObject([
    { cause: "replaced", content: "Likes black tea.", archivedAt: null, byUserId: owner.userId },
  ]);
  engine.setNow(new Date(testNow.getTime() + day));
  await reopen(id);
  expect(await memories()).toMatchObject([
    {
      id: old.id,
      content: "Likes black tea.",
      archivedAt: null,
      replacedById: null,
      revisions: [],
    },
  ]);
});

test("a replaced memory that was deleted stays deleted", async () => {
  const old = await giveMemory(engine, owner.profileId);
  const { id } = await propose();
  await review(id, { replaces: old.id });
  await engine.db.memory.update({ where: { id: old.id }, data: { deletedAt: testNow } });
  await reopen(id);
  expect(await memories()).toMatchObject([{ id: old.id, deletedAt: testNow }]);
});

test("only a live memory of the same profile is replaced; else nothing is decided", async () => {
  const stranger = await mintOwner(engine);
  const elsewhere = await giveMemory(engine, stranger.profileId);
  const archived = await giveMemory(engine, owner.profileId, { archivedAt: testNow });
  const { id } = await propose();
  for (const replaces of [elsewhere.id, archived.id, "mem_none"]) {
    await expect(review(id, { replaces })).rejects.toMatchObject(refused);
  }
  expect(await proposalOf(id)).toMatchObject({ status: "pending" });
  // The event of a decision that came to nothing went with it; each refusal has its own.
  const events = await eventsOf(engine, owner.profileId);
  const refusals = events.filter(({ verb }) => verb === "reviewProposal");
  expect(refusals.map(({ outcome }) => outcome)).toEqual(["PROF006", "PROF006", "PROF006"]);
  expect(await engine.db.memory.findUnique({ where: { id: elsewhere.id } })).toMatchObject({
    archivedAt: null,
  });
});

test("several are taken back together or not at all", async () => {
  const [first, second] = [await propose("One."), await propose("Two.")];
  await review(first.id);
  await expect(reopen(first.id, second.id)).rejects.toMatchObject(refused);
  expect(await proposalOf(first.id)).toMatchObject({ status: "approved" });
  await review(second.id, { action: "reject" });
  await reopen(first.id, second.id);
  expect(await proposalOf(first.id)).toMatchObject(waiting);
  expect(await proposalOf(second.id)).toMatchObject(waiting);
});

test("nobody but the signed-in owner can reopen, not even the owner's key", async () => {
  const { id } = await propose();
  await review(id);
  const input = { did: owner.did, proposalIds: [id] };
  const stranger = await mintOwner(engine);
  const others = [
    signedIn(engine, stranger),
    { ...ctx(), caller: { kind: "agent", ...agent } as const },
    { ...ctx(), caller: { kind: "user", ...owner } as const },
  ];
  for (const other of others) {
    await expect(reopenProposals(other, input)).rejects.toMatchObject({ code: "PROF002" });
  }
  const elsewhere = { did: stranger.did, proposalIds: [id] };
  await expect(reopenProposals(signedIn(engine, stranger), elsewhere)).rejects.toMatchObject({
    code: "PROF003",
  });
  expect(await proposalOf(id)).toMatchObject({ status: "approved" });
});
