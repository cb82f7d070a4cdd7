import { beforeEach, describe, expect, test } from "vitest";
import { contextOf } from "@/lib/services/context";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  eventsOf,
  giveMemory,
  givePolicy,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
} from "@/tests/support/personas";
import { type SearchInput, searchReadable } from "./search-readable";

const engine = await testEngine();
let owner: Owner;
let agent: Minted;

beforeEach(async () => {
  owner = await mintOwner(engine, { policies: [{ allow: ["prof:interests"] }] });
  agent = await mintAgent(engine);
});

let minutes = 0;
function remember(content: string, category = "prof:interests") {
  const createdAt = new Date(testNow.getTime() - 60_000 * ++minutes);
  return giveMemory(engine, owner.profileId, { content, category, createdAt });
}

async function search(query: string | undefined, more: Partial<SearchInput> = {}) {
  const { did, publicKey } = agent;
  const ctx = contextOf(engine, { kind: "agent", did, publicKey });
  const found = await searchReadable(ctx, { did: owner.did, query, limit: 20, ...more });
  return { ...found, memories: found.memories.map(({ content }) => content) };
}

test("whole words come first, then parts of words, each newest first", async () => {
  await remember("Teatime is at five.");
  await remember("Likes tea.");
  await remember("Likes steamed buns.");
  await remember("Keeps green tea at home.");
  await remember("Likes trains.");
  expect(await search("tea")).toEqual({
    memories: [
      "Likes tea.",
      "Keeps green tea at home.",
      "Teatime is at five.",
      "Likes steamed buns.",
    ],
    total: 4,
  });
  expect((await search('"green tea"')).memories).toEqual(["Keeps green tea at home."]);
  expect((await search("tea -green")).memories).toEqual(["Likes tea."]);
  expect((await search("tea", { limit: 1 })).total).toBe(4);
  expect((await search("100%_")).memories).toEqual([]);
});

test("without words it is the newest", async () => {
  await remember("Likes tea.");
  await remember("Likes trains.");
  expect(await search(undefined)).toEqual({ memories: ["Likes tea.", "Likes trains."], total: 2 });
});

describe("what is hidden", () => {
  test("changes no result, order or count, however much of it there is", async () => {
    await remember("Likes tea.");
    await remember("Drinks tea with her sister.");
    const before = await search("tea");
    for (let count = 0; count < 30; count++) await remember("Tea, tea and tea.", "prof:health");
    await givePolicy(engine, owner.profileId, { allow: [], deny: ["prof:interests.hidden"] });
    await remember("Tea for two.", "prof:interests.hidden");
    expect(await search("tea")).toEqual(before);
    await expect(search("tea", { category: "prof:health" })).rejects.toMatchObject({
      code: "PROF004",
    });
  });

  test("is never found by its words first: no index of words is used", async () => {
    const uses = async () => {
      await engine.pool.query("SELECT pg_stat_force_next_flush()");
      const { rows } = await engine.pool.query(
        `SELECT sum(idx_scan)::int AS uses FROM pg_stat_user_indexes
         WHERE indexrelname IN ('Memory_words_idx', 'Memory_similar_idx')`,
      );
      return rows[0].uses;
    };
    await remember("Likes tea.");
    const before = await uses();
    await search("tea");
    expect(await uses()).toBe(before);
  });
});

test("the owner reads in the log how many memories of which category were found", async () => {
  await remember("Likes tea.");
  await search("tea");
  const [event] = await eventsOf(engine, owner.profileId);
  expect(event).toMatchObject({ verb: "listMemories", items: { "prof:interests": 1 } });
});
