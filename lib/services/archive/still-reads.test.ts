import { beforeEach, describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { ProfileArchive } from "@/lib/protocol/archive/profile-archive";
import { testEngine } from "@/tests/support/harness";
import {
  giveMemory,
  giveSession,
  type Minted,
  mintAdmin,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { exportActivity } from "../activity/export-activity";
import { exportAdminEvents } from "../admin/export-admin-events";
import { exportProfile } from "./export";

const engine = await testEngine();
let owner: Owner;
let other: Owner;
let agent: Minted;
beforeEach(async () => {
  engine.setNow(new Date());
  owner = await mintOwner(engine);
  other = await mintOwner(engine);
  agent = await mintAgent(engine);
});

const late = "written afterwards";

/** Reads on to the end, or to where it breaks off. */
async function rest(pieces: AsyncGenerator<unknown>): Promise<{ text: string; error: unknown }> {
  let text = "";
  try {
    for await (const piece of pieces) text += JSON.stringify(piece);
    return { text, error: null };
  } catch (error) {
    return { text, error };
  }
}

async function giveMemories(count: number): Promise<void> {
  await engine.db.memory.createMany({
    data: Array.from({ length: count }, () => ({
      createdAt: engine.now(),
      updatedAt: engine.now(),
      id: newId("mem"),
      profileId: owner.profileId,
      category: "prof:x",
      content: "early",
      confidence: 1,
      source: "owner" as const,
    })),
  });
}

async function giveEvents(count: number): Promise<void> {
  await engine.db.accessEvent.createMany({
    data: Array.from({ length: count }, () => ({
      id: newId("evt"),
      profileId: owner.profileId,
      at: new Date(engine.now().getTime() - 60_000),
      actor: "agent" as const,
      actorId: agent.did,
      verb: "getProfile",
      outcome: "ok",
      requestId: newId("req"),
    })),
  });
}

// With how many pieces lead into the first page of what it is about.
const exports: [string, number, () => Promise<AsyncGenerator<unknown>>][] = [
  ["a profile", 4, () => exportProfile(signedIn(engine, owner), owner)],
  ["a log", 1, () => exportActivity(signedIn(engine, owner), { did: owner.did, format: "json" })],
];

const ends: [string, () => Promise<unknown>][] = [
  ["its session ends", () => engine.db.session.delete({ where: { id: owner.sessionId } })],
  [
    "its account is suspended",
    () => engine.db.user.update({ where: { id: owner.userId }, data: { state: "suspended" } }),
  ],
  [
    "its profile is suspended",
    () =>
      engine.db.profile.update({ where: { id: owner.profileId }, data: { state: "suspended" } }),
  ],
  [
    "its profile is handed to somebody else",
    () =>
      engine.db.profile.update({ where: { id: owner.profileId }, data: { ownerId: other.userId } }),
  ],
];

describe.each(exports)("an export of %s that is read slowly", (_what, lead, begin) => {
  test.each(ends)("breaks off at the next page when %s", async (_how, endIt) => {
    await giveEvents(1_200);
    await giveMemories(120);
    const pieces = await begin();
    const begun = [];
    for (let at = 0; at < lead; at++) begun.push((await pieces.next()).value);
    if (begun.some((piece) => piece === undefined)) throw new Error("it ended at once");
    await endIt();
    engine.setNow(new Date(engine.now().getTime() + 1));
    await giveMemory(engine, owner.profileId, { content: late });
    const { text, error } = await rest(pieces);
    expect(error).toMatchObject({ code: expect.stringMatching(/^PROF00[12]$/) });
    expect(JSON.stringify(begun) + text).not.toContain(late);
  });
});

test("an export has what was there when it began, and nothing that was made later", async () => {
  const { id } = await giveMemory(engine, owner.profileId, { content: "early" });
  const pieces = await exportProfile(signedIn(engine, owner), owner);
  const first = await pieces.next();
  // Later by a whole millisecond, which is what times are kept in, and over when the next page is read.
  const createdAt = new Date(Date.now() + 1);
  await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(createdAt.getTime());
  const times = { createdAt, updatedAt: createdAt };
  await giveMemory(engine, owner.profileId, { content: late, ...times });
  await engine.db.memoryRevision.create({
    data: {
      ...{ memoryId: id, category: "prof:x", content: late, confidence: 1 },
      ...{ cause: "edited", createdAt },
    },
  });
  let text = String(first.value);
  for await (const piece of pieces) text += piece;
  expect(ProfileArchive.parse(JSON.parse(text)).memories).toMatchObject([{ id, revisions: [] }]);
  expect(text).not.toContain(late);
});

test("an export has a memory of an import whose time is yet to come", async () => {
  const createdAt = new Date(engine.now().getTime() + 86_400_000);
  await giveMemory(engine, owner.profileId, { content: "tomorrow", createdAt });
  const { text } = await rest(await exportProfile(signedIn(engine, owner), owner));
  expect(text).toContain("tomorrow");
});

describe("an export of what admins did that is read slowly", () => {
  test.each([
    [
      "is an admin no more",
      (userId: string) => engine.db.user.update({ where: { id: userId }, data: { role: "user" } }),
    ],
    ["signs out", (userId: string) => engine.db.session.deleteMany({ where: { userId } })],
  ])("breaks off at the next page when its reader %s", async (_how, endIt) => {
    const { userId, ctx } = await mintAdmin(engine);
    await engine.db.adminEvent.createMany({
      data: Array.from({ length: 1_200 }, () => ({
        id: newId("adm"),
        at: new Date(engine.now().getTime() - 60_000),
        adminId: userId,
        verb: "suspendUser",
        requestId: newId("req"),
      })),
    });
    const batches = await exportAdminEvents(ctx, { format: "csv" });
    await batches.next();
    await endIt(userId);
    const { error } = await rest(batches);
    expect(error).toMatchObject({ code: expect.stringMatching(/^PROF00[12]$/) });
  });

  test("goes on for an admin in another browser", async () => {
    const { userId, ctx } = await mintAdmin(engine);
    const batches = await exportAdminEvents(ctx, { format: "csv" });
    const { id } = await giveSession(engine, { userId });
    await engine.db.session.delete({ where: { id } });
    expect((await rest(batches)).error).toBeNull();
  });
});
