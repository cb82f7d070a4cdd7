import { beforeEach, describe, expect, test } from "vitest";
import type { ProfileArchive } from "@/lib/protocol/archive/profile-archive";
import { testEngine, testNow } from "@/tests/support/harness";
import { eventsOf, mintAdmin, mintOwner, type Owner, signedIn } from "@/tests/support/personas";
import { inTransaction } from "@/tests/support/transaction";
import { endOwnSession } from "../accounts/own-sessions";
import { suspendUser } from "../admin/users/change-user";
import { deleteUser } from "../admin/users/delete-user";
import { deleteProfile } from "../erasure/delete-profile";
import { addMemory } from "../memories/add";
import { importProfile } from "./import";
import { packArchive } from "./pack-archive";

const engine = await testEngine();
const root = await mintAdmin(engine);
const other = await mintOwner(engine);
// In two slices.
const memoriesCount = 300;
let owner: Owner;

beforeEach(async () => {
  owner = await mintOwner(engine);
});

function archiveOf(ids: readonly string[]): ProfileArchive {
  const at = testNow.toISOString();
  const written = { createdAt: at, updatedAt: at, archivedAt: null, deletedAt: null };
  const from = { source: "owner" as const, agentDid: null, proposalId: null };
  const common = { preferences: { language: "en" } };
  return {
    format: "profile-archive",
    version: 1,
    exportedAt: at,
    profile: { did: owner.did, profileType: "human", version: "1.0", common, createdAt: at },
    namedValues: [],
    memories: ids.map((id) => ({
      ...{ id, category: "prof:x", content: id, confidence: 1 },
      ...from,
      ...written,
      revisions: [],
    })),
    ...{ proposals: [], policies: [], consentRequests: [], receipts: [], tokens: [], keys: [] },
    events: [],
  };
}

/** Does something while an import waits in its second slice, and returns how the import ended. */
async function duringImport(
  work: () => Promise<unknown>,
  signal?: AbortSignal,
): Promise<Record<"code" | "message", string> | "imported"> {
  const ids = Array.from({ length: memoriesCount }, (_none, n) => `mem_${owner.profileId}x${n}`);
  const importing = { did: owner.did, archive: packArchive(archiveOf(ids)), signal };
  let ended: Promise<Record<"code" | "message", string> | "imported"> | undefined;
  await inTransaction(engine.pool, async (client) => {
    // The import waits for this id: it cannot know yet whether it will be taken.
    await client.query(
      `INSERT INTO "Memory" (id, "profileId", category, content, confidence, source, "createdAt", "updatedAt")
       VALUES ($1, $2, 'prof:x', 'taken', 1, 'owner', now(), now())`,
      [ids.at(-1), other.profileId],
    );
    ended = importProfile(signedIn(engine, owner), { ...importing, switchPoliciesOn: false }).then(
      () => "imported" as const,
      (error) => error,
    );
    await expect.poll(waiting, { interval: 10 }).toBe(1);
    await work();
    await client.query(`DELETE FROM "Memory" WHERE id = $1`, [ids.at(-1)]);
  });
  return (await ended) ?? "imported";
}

async function waiting(): Promise<number> {
  const { rows } = await engine.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}

const countMemories = () => engine.db.memory.count({ where: { profileId: owner.profileId } });

test("an import that waited brings everything", async () => {
  expect(await duringImport(async () => undefined)).toBe("imported");
  expect(await countMemories()).toBe(memoriesCount);
  expect(await eventsOf(engine, owner.profileId)).toMatchObject([{ outcome: "ok" }]);
});

describe("during an import", () => {
  test("an account is suspended at once, and the import writes nothing", async () => {
    const ended = await duringImport(() => suspendUser(root.ctx, owner.userId));
    expect(ended).toMatchObject({ code: "PROF001" });
    expect(await countMemories()).toBe(0);
  });

  test("a session is ended at once, and the import writes nothing", async () => {
    const id = owner.sessionId;
    const ended = await duringImport(() => endOwnSession(signedIn(engine, owner), { id }));
    expect(ended).toMatchObject({ code: "PROF001" });
    expect(await countMemories()).toBe(0);
  });

  test("a profile that is handed over is not written, and the new owner's log names nobody else", async () => {
    const ended = await duringImport(() =>
      engine.db.profile.update({ where: { did: owner.did }, data: { ownerId: other.userId } }),
    );
    expect(ended).toMatchObject({ code: "PROF002" });
    expect(await countMemories()).toBe(0);
    const events = await eventsOf(engine, owner.profileId);
    expect(events.filter(({ actor }) => actor === "owner")).toEqual([]);
  });

  test("the owner adds a memory at once: the profile is not empty, and nothing else is written", async () => {
    const memory = { category: "prof:x", content: "Tea.", confidence: 1 };
    const ended = await duringImport(() =>
      addMemory(signedIn(engine, owner), { did: owner.did, ...memory }),
    );
    expect(ended).toMatchObject({ code: "PROF006", message: expect.stringMatching(/not empty/) });
    expect(await countMemories()).toBe(1);
  });

  test.each(["deleteProfile", "deleteUser"])("%s makes the import end", async (name) => {
    let erased: Promise<unknown> | undefined;
    const ended = await duringImport(async () => {
      erased =
        name === "deleteUser"
          ? deleteUser(root.ctx, owner.userId)
          : deleteProfile(signedIn(engine, owner), { did: owner.did });
      await expect.poll(waiting, { interval: 10 }).toBe(2);
    });
    // Gone, or about to go: the import gives way, and only then does the erasure lock the profile.
    expect(["PROF003", "PROF503"]).toContain(Reflect.get(Object(ended), "code"));
    await erased;
    expect(await countMemories()).toBe(0);
    expect(await engine.db.profile.count({ where: { did: owner.did } })).toBe(0);
  });

  test("its sender hangs up, or it takes too long: it writes nothing", async () => {
    const ending = new AbortController();
    const ended = await duringImport(async () => ending.abort(), ending.signal);
    expect(ended).toMatchObject({
      code: "PROF006",
      message: expect.stringMatching(/five minutes/),
    });
    expect(await countMemories()).toBe(0);
    expect(await eventsOf(engine, owner.profileId)).toMatchObject([{ outcome: "PROF006" }]);
  });
});
