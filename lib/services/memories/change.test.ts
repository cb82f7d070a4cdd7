import { beforeEach, describe, expect, test } from "vitest";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  eventsOf,
  giveMemory,
  giveProposal,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { reopenProposals } from "../proposals/deciding/reopen";
import { reviewProposal } from "../proposals/deciding/review";
import { addMemory, undoAddition } from "./add";
import { changedAtOnceMax } from "./change";
import { changeMemoryState, changeMemoryStates, editMemory, moveMemories } from "./edit";
import { purgeMemories } from "./purge";
import { readMemory } from "./read";
import { restoreRevision, restoreRevisions } from "./restore";

const engine = await testEngine();
const day = 24 * 60 * 60_000;
let owner: Owner;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
});

function ctx() {
  return signedIn(engine, owner);
}

function later(ms: number) {
  engine.setNow(new Date(engine.now().getTime() + ms));
}

async function given(memory: Parameters<typeof giveMemory>[2] = {}) {
  const times = { createdAt: testNow, updatedAt: testNow };
  const { id } = await giveMemory(engine, owner.profileId, { ...times, ...memory });
  return { did: owner.did, memoryId: id, seen: testNow };
}

function stored(memoryId: string) {
  return engine.db.memory.findUniqueOrThrow({ where: { id: memoryId } });
}

async function read(memoryId: string, after?: string) {
  const found = await readMemory(ctx(), { did: owner.did, memoryId, after, limit: 2 });
  if (found === null) throw new Error("there is no such memory");
  return found;
}

function revisionsOf(memoryId: string) {
  return engine.db.memoryRevision.findMany({ where: { memoryId }, orderBy: { id: "asc" } });
}

async function lastEvent() {
  return (await eventsOf(engine, owner.profileId)).at(-1);
}

const was = { category: "prof:interests", content: "Likes long walks.", confidence: 0.9 };

type Input = Awaited<ReturnType<typeof given>>;

const changes = [
  {
    name: "editing",
    cause: "edited",
    change: (input: Input) =>
      editMemory(ctx(), { ...input, content: "Likes runs.", confidence: 1 }),
    becomes: { content: "Likes runs.", confidence: 1 },
    detail: { action: "edited", category: "prof:interests" },
  },
  {
    name: "moving",
    cause: "moved",
    change: (input: Input) => editMemory(ctx(), { ...input, category: "prof:health" }),
    becomes: { category: "prof:health" },
    detail: { action: "moved", category: "prof:health", from: "prof:interests" },
  },
  {
    name: "archiving",
    cause: "archived",
    change: (input: Input) => changeMemoryState(ctx(), { ...input, how: "archive" }),
    becomes: { archivedAt: testNow, deletedAt: null },
    detail: { action: "archived", category: "prof:interests" },
  },
  {
    name: "deleting",
    cause: "deleted",
    change: (input: Input) => changeMemoryState(ctx(), { ...input, how: "delete" }),
    becomes: { archivedAt: null, deletedAt: testNow },
    detail: { action: "deleted", category: "prof:interests" },
  },
] as const;

describe.each(changes)("$name", ({ cause, change, becomes, detail }) => {
  test("keeps what the memory was, and one event that does not tell its text", async () => {
    const input = await given();
    const changed = await change(input);
    const { memoryId } = input;
    expect(await stored(memoryId)).toMatchObject({ ...was, ...becomes });
    const [revision, ...more] = await revisionsOf(memoryId);
    expect(more).toEqual([]);
    expect(revision).toMatchObject({ ...was, cause, archivedAt: null, byUserId: owner.userId });
    expect(changed?.revisionId).toBe(`rev_${revision?.id}`);
    const events = await eventsOf(engine, owner.profileId);
    expect(events).toMatchObject([
      { verb: "editMemories", actor: "owner", outcome: "ok", subjectId: memoryId, detail },
    ]);
    expect(JSON.stringify(events[0]?.detail)).not.toMatch(/walks|runs/);
  });

  test("is undone by its revision, and done again by undoing that", async () => {
    const { did, ...input } = await given();
    const changed = await change({ did, ...input });
    later(1_000);
    const undone = await restoreRevision(ctx(), { did, revisionId: changed?.revisionId ?? "" });
    expect(await stored(input.memoryId)).toMatchObject({
      ...was,
      archivedAt: null,
      deletedAt: null,
    });
    expect(await lastEvent()).toMatchObject({
      subjectId: input.memoryId,
      detail: { action: "restored", category: "prof:interests" },
    });
    await restoreRevision(ctx(), { did, revisionId: undone?.revisionId ?? "" });
    const again = "deletedAt" in becomes && becomes.deletedAt !== null;
    expect(await stored(input.memoryId)).toMatchObject({
      ...was,
      ...becomes,
      ...(again ? { deletedAt: engine.now() } : {}),
    });
  });

  test("is refused to another user and to an agent, and the owner can read of it", async () => {
    const input = await given();
    const agent = await mintAgent(engine);
    const stranger = await mintOwner(engine);
    for (const other of [
      signedIn(engine, stranger),
      { ...ctx(), caller: { kind: "agent", ...agent } as const },
      { ...ctx(), caller: { kind: "user", ...owner } as const },
    ]) {
      await expect(changeMemoryState(other, { ...input, how: "delete" })).rejects.toMatchObject({
        code: "PROF002",
      });
      await expect(editMemory(other, { ...input, content: "Mine now." })).rejects.toMatchObject({
        code: "PROF002",
      });
    }
    expect(await stored(input.memoryId)).toMatchObject({ ...was, deletedAt: null });
    expect(await revisionsOf(input.memoryId)).toEqual([]);
    const events = await eventsOf(engine, owner.profileId);
    expect(events.map(({ outcome }) => outcome)).toEqual(Array(6).fill("PROF002"));
  });

  test("is refused when the memory was changed since it was looked at", async () => {
    const input = await given();
    await editMemory(ctx(), { ...input, category: "prof:episodic" });
    await expect(change(input)).rejects.toMatchObject({
      code: "PROF006",
      message: expect.stringContaining("was changed after you opened it"),
    });
    expect(await stored(input.memoryId)).toMatchObject({ ...was, category: "prof:episodic" });
    expect(await revisionsOf(input.memoryId)).toHaveLength(1);
  });
});

test("an owner adds a memory, which the log tells without its text", async () => {
  const { did } = owner;
  const added = { category: "prof:hobbies", content: "Keeps bees.", confidence: 1 };
  const { memoryId } = await addMemory(ctx(), { did, ...added });
  expect(await stored(memoryId)).toMatchObject({ ...added, source: "owner", agentDid: null });
  const detail = { action: "added", category: "prof:hobbies" };
  expect(await lastEvent()).toMatchObject({ verb: "editMemories", subjectId: memoryId, detail });
  const stranger = signedIn(engine, await mintOwner(engine));
  await expect(addMemory(stranger, { did, ...added })).rejects.toMatchObject({ code: "PROF002" });
});

test("one of two concurrent edits is kept, the other is refused", async () => {
  for (let round = 0; round < 10; round++) {
    const input = await given();
    const results = await Promise.allSettled(
      ["One.", "Two.", "Three."].map((content) => editMemory(ctx(), { ...input, content })),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "PROF006" },
    });
    expect(await revisionsOf(input.memoryId)).toHaveLength(1);
  }
});

test("one of a concurrent undo and edit is kept", async () => {
  for (let round = 0; round < 10; round++) {
    const { did, memoryId, seen } = await given();
    const edited = await editMemory(ctx(), { did, memoryId, seen, content: "First." });
    const { updatedAt } = await stored(memoryId);
    const results = await Promise.allSettled([
      restoreRevision(ctx(), { did, revisionId: edited?.revisionId ?? "" }),
      editMemory(ctx(), { did, memoryId, seen: updatedAt, content: "Second." }),
    ]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await revisionsOf(memoryId)).toHaveLength(2);
  }
});

test("an undo that comes after another change leaves that one alone", async () => {
  const { did, memoryId, seen } = await given();
  const first = await editMemory(ctx(), { did, memoryId, seen, content: "First." });
  const { updatedAt } = await stored(memoryId);
  await editMemory(ctx(), { did, memoryId, seen: updatedAt, content: "Second." });
  const revisionId = first?.revisionId ?? "";
  await expect(restoreRevision(ctx(), { did, revisionId })).rejects.toMatchObject({
    code: "PROF006",
  });
  const { updatedAt: now } = await stored(memoryId);
  await restoreRevision(ctx(), { did, revisionId, seen: now });
  expect(await stored(memoryId)).toMatchObject(was);
});

test("a change without effect leaves no revision and no event", async () => {
  const input = await given();
  expect(await editMemory(ctx(), { ...input, content: was.content })).toBeNull();
  expect(await revisionsOf(input.memoryId)).toEqual([]);
  expect(await eventsOf(engine, owner.profileId)).toEqual([]);
});

test("a deleted memory cannot be edited or archived, and is restored unchanged", async () => {
  const input = await given({ archivedAt: testNow });
  await changeMemoryState(ctx(), { ...input, how: "delete" });
  const { updatedAt: seen } = await stored(input.memoryId);
  const now = { ...input, seen };
  for (const refused of [
    () => editMemory(ctx(), { ...now, content: "New." }),
    () => changeMemoryState(ctx(), { ...now, how: "archive" }),
    () => changeMemoryState(ctx(), { ...now, how: "delete" }),
  ]) {
    await expect(refused()).rejects.toMatchObject({ message: expect.stringContaining("deleted") });
  }
  const back = await changeMemoryState(ctx(), { ...now, how: "undelete" });
  expect(await stored(input.memoryId)).toMatchObject({ archivedAt: testNow, deletedAt: null });
  later(day);
  await restoreRevision(ctx(), { did: owner.did, revisionId: back?.revisionId ?? "" });
  expect(await stored(input.memoryId)).toMatchObject({ deletedAt: engine.now() });
});

test("unarchiving makes it live again, and is undone", async () => {
  const input = await given({ archivedAt: testNow });
  const changed = await changeMemoryState(ctx(), { ...input, how: "unarchive" });
  expect(await stored(input.memoryId)).toMatchObject({ archivedAt: null });
  expect(await lastEvent()).toMatchObject({ detail: { action: "restored" } });
  await restoreRevision(ctx(), { did: owner.did, revisionId: changed?.revisionId ?? "" });
  expect(await stored(input.memoryId)).toMatchObject({ archivedAt: testNow });
});

test("a memory or revision of another profile is not there", async () => {
  const other = await mintOwner(engine);
  const theirs = { ...(await given()), did: other.did };
  const changed = await editMemory(ctx(), { ...theirs, did: owner.did, content: "Edited." });
  const asOther = signedIn(engine, other);
  const { did, memoryId } = theirs;
  const revisionId = changed?.revisionId ?? "";
  for (const refused of [
    () => editMemory(asOther, { ...theirs, content: "Stolen." }),
    () => changeMemoryState(asOther, { did, memoryId, how: "delete" }),
    () => restoreRevision(asOther, { did, revisionId }),
  ]) {
    await expect(refused()).rejects.toMatchObject({ code: "PROF003" });
  }
  expect(await readMemory(asOther, { did, memoryId, limit: 5 })).toBeNull();
});

test("the history tells each change with what was before and after it, page by page", async () => {
  const input = await given();
  const { did, memoryId } = input;
  for (const content of ["One.", "Two.", "Three."]) {
    later(1_000);
    const { updatedAt: seen } = await stored(memoryId);
    await editMemory(ctx(), { did, memoryId, seen, content });
  }
  const first = await read(memoryId);
  expect(first.memory).toMatchObject({ content: "Three.", lastChange: "edited" });
  expect(first.origin).toBeNull();
  expect(first.history).toMatchObject([
    { cause: "edited", byOwner: true, before: { content: "Two." }, after: { content: "Three." } },
    { before: { content: "One." }, after: { content: "Two." } },
  ]);
  const after = first.next ?? undefined;
  const second = await read(memoryId, after);
  expect(second).toMatchObject({
    history: [{ before: { content: was.content }, after: { content: "One." } }],
    next: null,
  });
});

test("a memory tells which agent proposed it, with which words and why", async () => {
  const agent = await mintAgent(engine, { verified: true });
  const proposed = { profileId: owner.profileId, agentDid: agent.did };
  const proposal = await giveProposal(engine, {
    ...proposed,
    content: "Rows.",
    context: "Said so.",
  });
  const { did } = owner;
  const review = { did, proposalId: proposal.id, action: "approve" } as const;
  const approved = await reviewProposal(ctx(), { ...review, editedContent: "Rows daily." });
  const memoryId = approved.status === "approved" ? approved.memoryId : "";
  const { memory, origin } = await read(memoryId);
  expect(memory).toMatchObject({
    content: "Rows daily.",
    source: "agent",
    agent: { did: agent.did, name: "Iris", verified: true },
    proposedAt: proposal.proposedAt,
    lastChange: null,
  });
  expect(origin).toEqual({ content: "Rows.", context: "Said so." });
  await editMemory(ctx(), { did, memoryId, seen: memory.updatedAt, content: "Rowed." });
  await expect(reopenProposals(ctx(), { did, proposalIds: [proposal.id] })).rejects.toMatchObject({
    code: "PROF006",
  });
});

test("the purge takes what was deleted thirty days ago, its history too, and nothing else", async () => {
  const gone = await given({ deletedAt: new Date(testNow.getTime() - 30 * day) });
  const young = await given({ deletedAt: new Date(testNow.getTime() - 30 * day + 1) });
  const archived = await given({ archivedAt: new Date(testNow.getTime() - 90 * day) });
  const kept = { ...was, memoryId: gone.memoryId, cause: "deleted", createdAt: testNow } as const;
  await engine.db.memoryRevision.create({ data: kept });
  expect(await purgeMemories(engine.db, testNow)).toBe(1);
  expect(await purgeMemories(engine.db, testNow)).toBe(0);
  expect(await revisionsOf(gone.memoryId)).toEqual([]);
  await expect(stored(gone.memoryId)).rejects.toThrow();
  await stored(young.memoryId);
  await stored(archived.memoryId);
  await expect(
    changeMemoryState(ctx(), { did: owner.did, memoryId: gone.memoryId, how: "undelete" }),
  ).rejects.toMatchObject({ code: "PROF003" });
});

describe("undoing an addition", () => {
  const added = async () => {
    const addition = { did: owner.did, category: "prof:interests", content: "Tea.", confidence: 1 };
    return (await addMemory(ctx(), addition)).memoryId;
  };
  const undo = (memoryId: string) => undoAddition(ctx(), { did: owner.did, memoryId });

  test("deletes the memory", async () => {
    const memoryId = await added();
    await undo(memoryId);
    expect(await stored(memoryId)).toMatchObject({ deletedAt: testNow });
    expect(await lastEvent()).toMatchObject({ verb: "editMemories", subjectId: memoryId });
  });

  test("is refused once the memory was edited, and keeps the edit", async () => {
    const memoryId = await added();
    const content = "Green tea.";
    await editMemory(ctx(), { did: owner.did, memoryId, seen: testNow, content });
    await expect(undo(memoryId)).rejects.toThrow("kept as it is now");
    expect(await stored(memoryId)).toMatchObject({ content, deletedAt: null });
  });

  test("is refused to strangers", async () => {
    const memoryId = await added();
    const stranger = signedIn(engine, await mintOwner(engine));
    const undoing = undoAddition(stranger, { did: owner.did, memoryId });
    await expect(undoing).rejects.toMatchObject({ code: "PROF002" });
    expect(await stored(memoryId)).toMatchObject({ deletedAt: null });
  });
});

describe("several memories at once", () => {
  async function several(count: number) {
    const inputs = await Promise.all(Array.from({ length: count }, () => given()));
    return inputs.map(({ memoryId, seen }) => ({ memoryId, seen }));
  }
  const states = (memories: { memoryId: string }[]) =>
    engine.db.memory.findMany({
      where: { id: { in: memories.map(({ memoryId }) => memoryId) } },
      select: { category: true, archivedAt: true },
    });

  const place = { category: was.category };

  test("are archived or moved together, with an event each, and undone together", async () => {
    const { did } = owner;
    const memories = await several(3);
    const archived = await changeMemoryStates(ctx(), { did, how: "archive", memories });
    expect(await states(memories)).toEqual(Array(3).fill({ ...place, archivedAt: testNow }));
    const events = await eventsOf(engine, owner.profileId);
    expect(events.map(({ subjectId }) => subjectId).sort()).toEqual(
      memories.map(({ memoryId }) => memoryId).sort(),
    );
    const revisionIds = archived.map(({ revisionId }) => revisionId);
    await restoreRevisions(ctx(), { did, revisionIds });
    expect(await states(memories)).toEqual(Array(3).fill({ ...place, archivedAt: null }));
    const now = memories.map(({ memoryId }) => ({ memoryId }));
    await moveMemories(ctx(), { did, category: "prof:health", memories: now });
    const moved = { category: "prof:health", archivedAt: null };
    expect(await states(memories)).toEqual(Array(3).fill(moved));
  });

  test("stay as they are when one of them was changed since, also by an undo", async () => {
    const { did } = owner;
    const memories = await several(3);
    const [first] = memories;
    if (first === undefined) throw new Error("there is no memory");
    const edited = await editMemory(ctx(), { did, ...first, confidence: 0.1 });
    const archiving = changeMemoryStates(ctx(), { did, how: "archive", memories });
    await expect(archiving).rejects.toMatchObject({ code: "PROF006" });
    const others = await changeMemoryStates(ctx(), {
      ...{ did, how: "archive" as const },
      memories: memories.slice(1),
    });
    const { updatedAt: seen } = await stored(first.memoryId);
    await editMemory(ctx(), { did, memoryId: first.memoryId, seen, confidence: 0.2 });
    const revisionIds = [edited, ...others].map((one) => one?.revisionId ?? "");
    await expect(restoreRevisions(ctx(), { did, revisionIds })).rejects.toMatchObject({
      code: "PROF006",
    });
    expect((await states(memories)).filter(({ archivedAt }) => archivedAt)).toHaveLength(2);
  });

  test("are at most 100, at least one, none of them twice, and all of the same owner's", async () => {
    const { did } = owner;
    const memories = await several(2);
    const stranger = await mintOwner(engine);
    const foreign = await giveMemory(engine, stranger.profileId, {});
    for (const wrong of [
      [],
      [...memories, ...memories],
      Array.from({ length: changedAtOnceMax + 1 }, (_, at) => ({ memoryId: `mem_${at}` })),
    ]) {
      const changing = changeMemoryStates(ctx(), { did, how: "delete", memories: wrong });
      await expect(changing).rejects.toMatchObject({ code: "PROF006" });
    }
    const mixed = [...memories, { memoryId: foreign.id }];
    const deleting = changeMemoryStates(ctx(), { did, how: "delete", memories: mixed });
    await expect(deleting).rejects.toMatchObject({ code: "PROF003" });
    expect(await stored(foreign.id)).toMatchObject({ deletedAt: null });
    for (const { memoryId } of memories) {
      expect(await stored(memoryId)).toMatchObject({ deletedAt: null });
    }
  });

  test("are undone by nobody else", async () => {
    const { did } = owner;
    const memories = await several(2);
    const deleted = await changeMemoryStates(ctx(), { did, how: "delete", memories });
    const revisionIds = deleted.map(({ revisionId }) => revisionId);
    const stranger = signedIn(engine, await mintOwner(engine));
    await expect(restoreRevisions(stranger, { did, revisionIds })).rejects.toMatchObject({
      code: "PROF002",
    });
  });
});
