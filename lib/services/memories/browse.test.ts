import { beforeEach, expect, test } from "vitest";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  eventsOf,
  giveMemory,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { type BrowseQuery, browseMemories, type MemoryPlace, memorySorts } from "./browse";
import { listMemoryFilters } from "./browse-filters";

const engine = await testEngine();
const minute = 60_000;
let owner: Owner;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
});

function browse(input: Partial<BrowseQuery> = {}) {
  return browseMemories(signedIn(engine, owner), {
    did: owner.did,
    state: "live",
    sort: "newest",
    limit: 50,
    ...input,
  });
}

async function found(input: Partial<BrowseQuery>): Promise<string[]> {
  return (await browse(input)).memories.map(({ content }) => content);
}

function give(content: string, memory: Parameters<typeof giveMemory>[2] = {}) {
  return giveMemory(engine, owner.profileId, { content, ...memory });
}

/** The later one given is the newer one. */
async function giveAll(contents: string[]): Promise<void> {
  for (const [place, content] of contents.entries()) {
    await give(content, { createdAt: new Date(testNow.getTime() + place * minute) });
  }
}

test.each([
  ["a word", "kiln", ["Fired the KILN twice."]],
  ["words in any order", "twice fired", ["Fired the KILN twice."]],
  ["a part of a word", "arden", ["Walks in gardens.", "The walled garden."]],
  ["a letter too many", "killn", ["Fired the KILN twice."]],
  ["a phrase in quotes", '"walled garden"', ["The walled garden."]],
  ["a word, but not another one", "garden -walled", []],
  ["a wrong letter", "gardan", ["Walks in gardens.", "The walled garden."]],
  ["two words with a wrong letter each", "twize kilm", ["Fired the KILN twice."]],
  ["a word with a wrong letter in its middle", "wolled", ["The walled garden."]],
  ["no words of which only one is there", "zeppelin kiln", []],
  ["one word or another", "kiln or tea", ["Green tea, 100% leaf.", "Fired the KILN twice."]],
  ["a percent sign, which stands for itself", "100%", ["Green tea, 100% leaf."]],
  ["an underscore, which stands for itself", "a_b", ["File a_b\\c."]],
  ["a backslash, which stands for itself", "\\c", ["File a_b\\c."]],
  ["nothing that is there", "zeppelin", []],
  ["an operator that stands alone", '"', []],
  ["what looks like a statement", '\'; DROP TABLE "Memory"; --', []],
])("a search finds %s", async (_what, search, expected) => {
  await giveAll([
    "File a_b\\c.",
    "Fired the KILN twice.",
    "Green tea, 100% leaf.",
    "The walled garden.",
    "Walks in gardens.",
  ]);
  expect(await found({ search })).toEqual(expected);
});

test("whole-word matches come before similar spellings", async () => {
  await giveAll(["Reads of moss.", "Mossy stones.", "The most of it: mos."]);
  expect((await found({ search: "moss" })).slice(0, 2)).toEqual([
    "Reads of moss.",
    "Mossy stones.",
  ]);
});

test("a text of 10,000 characters is found and found in", async () => {
  const long = `${"word ".repeat(1_990)}needle`;
  await give(long);
  await give("W".repeat(10_000));
  expect(await found({ search: "needle" })).toEqual([long]);
  expect(await found({ search: "ord".repeat(60) })).toEqual([]);
});

test("it narrows by category with what lies below, by source and by state", async () => {
  const agent = await mintAgent(engine);
  await give("Travel.", { category: "prof:preferences.travel" });
  await give("All.", { category: "prof:preferences", source: "agent", agentDid: agent.did });
  await give("Alike.", { category: "prof:preferences_of_others", source: "imported" });
  await give("Away.", { archivedAt: testNow });
  await give("Gone.", { archivedAt: testNow, deletedAt: testNow });
  expect((await found({ category: "prof:preferences" })).sort()).toEqual(["All.", "Travel."]);
  expect(await found({ source: agent.did })).toEqual(["All."]);
  expect(await found({ source: "owner" })).toEqual(["Travel."]);
  expect(await found({ source: "imported" })).toEqual(["Alike."]);
  expect(await found({ state: "archived" })).toEqual(["Away."]);
  expect(await found({ state: "deleted" })).toEqual(["Gone."]);
  expect(await found({ search: "gone" })).toEqual([]);
  expect(await listMemoryFilters(signedIn(engine, owner), owner.did)).toEqual({
    agents: [{ did: agent.did, name: "Iris", verified: false }],
    categories: [
      "prof:interests",
      "prof:preferences",
      "prof:preferences.travel",
      "prof:preferences_of_others",
    ],
    hasImported: true,
    counts: { live: 3, archived: 1, deleted: 1 },
  });
});

test.each(memorySorts)(
  "pages sorted by %s hold each memory once, also of equal times and of a search",
  async (sort) => {
    const same = { createdAt: testNow, updatedAt: testNow };
    const older = new Date(testNow.getTime() - minute);
    const texts = ["tea", "teas", "tee, tae, teh", "green tea", "teapot", "tea time", "tea tea"];
    for (const text of texts) await give(text, same);
    await give("tea, once", { createdAt: older, updatedAt: older });
    for (const search of [undefined, "tea"]) {
      const seen: string[] = [];
      let after: MemoryPlace | undefined;
      const all = await browse({ sort, search });
      do {
        const { memories, next, count } = await browse({ sort, search, after, limit: 3 });
        expect(count).toBe(all.memories.length);
        seen.push(...memories.map(({ id }) => id));
        after = next ?? undefined;
      } while (after !== undefined);
      expect(seen).toEqual(all.memories.map(({ id }) => id));
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.length).toBeGreaterThanOrEqual(6);
    }
  },
);

test("it sorts by when a memory was made or changed", async () => {
  const at = (minutes: number) => new Date(testNow.getTime() + minutes * minute);
  await give("Old, changed now.", { createdAt: at(0), updatedAt: at(9) });
  await give("Newer.", { createdAt: at(1), updatedAt: at(1) });
  await give("Newest.", { createdAt: at(2), updatedAt: at(2) });
  expect(await found({ sort: "newest" })).toEqual(["Newest.", "Newer.", "Old, changed now."]);
  expect(await found({ sort: "oldest" })).toEqual(["Old, changed now.", "Newer.", "Newest."]);
  expect(await found({ sort: "changed" })).toEqual(["Old, changed now.", "Newest.", "Newer."]);
});

test("looking leaves no event, and nobody else may look", async () => {
  await give("Mine.");
  await browse();
  expect(await eventsOf(engine, owner.profileId)).toEqual([]);
  const { did } = owner;
  const stranger = signedIn(engine, await mintOwner(engine));
  const agent = await mintAgent(engine);
  const asAgent = { ...stranger, caller: { kind: "agent", ...agent } as const };
  for (const other of [stranger, asAgent]) {
    const refused = { code: "PROF002" };
    const input = { did, state: "live", sort: "newest", limit: 5 } as const;
    await expect(browseMemories(other, input)).rejects.toMatchObject(refused);
    await expect(listMemoryFilters(other, did)).rejects.toMatchObject(refused);
  }
});
