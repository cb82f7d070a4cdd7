import { describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { testEngine, testNow } from "@/tests/support/harness";
import { eventsOf, giveNamedValue, mintAgent, mintOwner } from "@/tests/support/personas";

// Protocol 6: an answer carries at most 2,000 records and 1 MB of contents.
const engine = await testEngine();

interface Filling {
  profileId: number;
  count: number;
  /** The number of the record, as SQL. */
  category: string;
  content?: string;
}

// The later the number, the newer.
async function fill({ profileId, count, category, content = "'a memory'" }: Filling) {
  await engine.pool.query(
    `INSERT INTO "Memory" (id, "profileId", category, content, confidence, source, "createdAt", "updatedAt")
     SELECT $1 || lpad(n::text, 6, '0'), $2, ${category}, ${content}, 1, 'owner',
       timestamptz '2026-01-01' + n * interval '1 second', now()
     FROM generate_series(1, $3) n`,
    [newId("mem").slice(0, 20), profileId, count],
  );
}

const everything = [{ allow: ["prof:*"] }];

describe("a profile", () => {
  test("carries 2,000 records, the newest of all categories, and names 50 that were cut", async () => {
    const owner = await mintOwner(engine, { policies: everything });
    const { profileId } = owner;
    await fill({ profileId, count: 4_400, category: "'prof:c' || lpad((n % 100)::text, 2, '0')" });
    const agent = await mintAgent(engine);
    for (const reader of [agent.client, owner.client]) {
      const { data, meta } = await reader.getProfile({ did: owner.did });
      const records = Object.values(data.memories).flat() as { createdAt: string }[];
      expect(records).toHaveLength(2_000);
      const oldest = records.map(({ createdAt }) => createdAt).sort()[0];
      expect(oldest).toBe(new Date(Date.parse("2026-01-01") + 2_401_000).toISOString());
      expect(meta.truncated).toHaveLength(50);
    }
  });

  test.each([
    ["1 MB of contents", "repeat('x', 9998)", 100],
    ["1 MB as they are sent, escaped", "repeat(chr(1), 9998)", 16],
  ])("carries %s", async (_title, content, shown) => {
    const owner = await mintOwner(engine, { policies: everything });
    const { profileId } = owner;
    await fill({ profileId, count: 120, category: "'prof:c' || n % 3", content });
    const agent = await mintAgent(engine);
    const { data, meta } = await agent.client.getProfile({ did: owner.did });
    expect(Object.values(data.memories).flat()).toHaveLength(shown);
    expect(meta.truncated).toEqual(["prof:c0", "prof:c1", "prof:c2"]);
  });

  test("newer records that the caller may not read take no room", async () => {
    const owner = await mintOwner(engine, { policies: [{ allow: ["prof:old"] }] });
    const { profileId } = owner;
    await fill({ profileId, count: 1, category: "'prof:old'" });
    await fill({ profileId, count: 3_000, category: "'prof:new' || n % 60" });
    const agent = await mintAgent(engine);
    const { data, meta } = await agent.client.getProfile({ did: owner.did });
    expect(Object.keys(data.memories)).toEqual(["prof:old"]);
    expect(meta.truncated).toBeUndefined();
  });

  test("named values take a quarter of it, and what has no room is named", async () => {
    const owner = await mintOwner(engine, { policies: everything });
    const { profileId } = owner;
    for (const at of Array.from({ length: 60 }, (_, index) => 10 + index)) {
      const named = { category: `prof:v${at}`, name: "text", value: "x".repeat(10_000) };
      await giveNamedValue(engine, profileId, named);
    }
    await fill({ profileId, count: 120, category: "'prof:a'", content: "repeat('x', 9998)" });
    const agent = await mintAgent(engine);
    const { data, meta } = await agent.client.getProfile({ did: owner.did });
    expect(Object.keys(data.memories)).toEqual(expect.arrayContaining(["prof:a", "prof:v10"]));
    expect(Object.keys(data.memories)).toHaveLength(1 + 24);
    expect(meta.truncated).toEqual(["prof:a", ...lastOf(36, "prof:v")]);
    const page = await agent.client.listMemories({ did: owner.did, limit: 200 });
    expect(page.meta).toMatchObject({ count: 75, total: 120, truncated: lastOf(36, "prof:v") });
  });

  test("named values that a rule denies take no room, whatever their size", async () => {
    const denying = [{ allow: ["prof:*"], deny: ["prof:v.hiddentext", "prof:v.zlast"] }];
    const owner = await mintOwner(engine, { policies: denying });
    const { profileId } = owner;
    const agent = await mintAgent(engine);
    await fill({ profileId, count: 120, category: "'prof:a'", content: "repeat('x', 9998)" });
    await giveNamedValue(engine, profileId, { category: "prof:v", name: "shown", value: "short" });
    const answers = async () => {
      const list = await agent.client.listMemories({ did: owner.did, limit: 200 });
      const profile = await agent.client.getProfile({ did: owner.did });
      return [list.data, list.meta, profile.data, profile.meta].map((part) => ({
        ...part,
        ...("requestId" in part ? { requestId: "", timestamp: "" } : {}),
      }));
    };
    const before = await answers();
    for (const name of ["hiddenText", "zlast"]) {
      const value = { text: "x".repeat(15_000) };
      await giveNamedValue(engine, profileId, { category: "prof:v", name, value });
    }
    expect(await answers()).toEqual(before);
  });
});

function lastOf(count: number, prefix: string): string[] {
  return Array.from({ length: count }, (_, at) => `${prefix}${70 - count + at}`);
}

test("the event of a read lists 100 categories and counts the rest", async () => {
  const owner = await mintOwner(engine, { policies: everything });
  await fill({ profileId: owner.profileId, count: 320, category: "'prof:c' || n % 160" });
  const agent = await mintAgent(engine);
  await agent.client.getProfile({ did: owner.did });
  const [event] = await eventsOf(engine, owner.profileId);
  expect(Object.values(event?.items ?? {})).toEqual(Array.from({ length: 100 }, () => 2));
  expect(Object.keys(event?.reasons ?? {})).toHaveLength(100);
  expect(event?.detail).toEqual({ more: { items: 60, reasons: 61, itemCount: 120 } });
});

test("the newest 100 different receipts of an agent count", async () => {
  const owner = await mintOwner(engine, {
    policies: [{ allow: ["prof:a"], purposes: ["analysis"] }],
  });
  const agent = await mintAgent(engine);
  await fill({ profileId: owner.profileId, count: 1, category: "'prof:a'" });
  // The first is the oldest, and the only one for the purpose.
  const give = (from: number, to: number) =>
    engine.pool.query(
      `INSERT INTO "Receipt" (id, "profileId", "agentDid", "grantedScopes", "purposeType", "grantedAt", "expiresAt")
       SELECT $1 || lpad(n::text, 6, '0'), $2, $3, '{prof:a}',
         CASE n WHEN 1 THEN 'analysis' ELSE 'other_' || n END,
         $4::timestamptz + n * interval '1 second', $4::timestamptz + interval '1 day'
       FROM generate_series($5::int, $6) n`,
      [newId("rcpt").slice(0, 20), owner.profileId, agent.did, testNow, from, to],
    );
  const read = async () => (await agent.client.getProfile({ did: owner.did })).data.memories;
  await give(1, 100);
  expect(Object.keys(await read())).toEqual(["prof:a"]);
  await give(101, 101);
  expect(await read()).toEqual({});
});

describe("a page of a list ends early where it would pass 1 MB; the next begins at offset + count", () => {
  test("memories", async () => {
    const owner = await mintOwner(engine, { policies: everything });
    const { profileId } = owner;
    const content = "n || repeat('x', 9990)";
    await fill({ profileId, count: 150, category: "'prof:c'", content });
    const agent = await mintAgent(engine);
    const counts: number[] = [];
    const seen = new Set<string>();
    for (let offset = 0; offset < 150; offset += counts.at(-1) ?? 150) {
      const { data, meta } = await agent.client.listMemories({
        did: owner.did,
        limit: 200,
        offset,
      });
      expect(meta).toMatchObject({ total: 150, limit: 200, offset });
      counts.push(meta.count);
      for (const { id } of data["prof:c"] as { id: string }[]) seen.add(id);
    }
    expect(counts).toEqual([100, 50]);
    expect(seen.size).toBe(150);
  });

  test("proposals, with their contexts", async () => {
    const owner = await mintOwner(engine, { policies: everything });
    const agent = await mintAgent(engine);
    await engine.pool.query(
      `INSERT INTO "Proposal" (id, "profileId", "agentDid", content, "contentHash", category, confidence,
         context, status, "proposedAt", "expiresAt", "reviewedAt")
       SELECT $1 || lpad(n::text, 6, '0'), $2, $3, repeat('x', 9998), sha256(n::text::bytea), 'prof:c', 1,
         repeat('y', 1000), 'rejected', now(), now() + interval '1 day', now()
       FROM generate_series(1, 150) n`,
      [newId("prop").slice(0, 20), owner.profileId, agent.did],
    );
    const first = await agent.client.listProposals({ did: owner.did, limit: 200 });
    expect(first.meta).toMatchObject({ count: 90, total: 150 });
    expect(first.data).toHaveLength(90);
    const rest = await agent.client.listProposals({ did: owner.did, limit: 200, offset: 90 });
    expect(rest.meta).toMatchObject({ count: 60, total: 150 });
  });
});
