import { describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { testEngine } from "@/tests/support/harness";
import { giveNamedValue, mintOwner, type Owner } from "@/tests/support/personas";

// Spec, Endpoints 3 and Limits 3: `limit` and `offset`; Protocol 6: the order and the most.
const engine = await testEngine();

/** Contents "0" (the newest) to `count - 1`, in two categories by turns. */
async function ownerOf(count: number): Promise<Owner> {
  const owner = await mintOwner(engine);
  await engine.db.memory.createMany({
    data: Array.from({ length: count }, (_, place) => ({
      updatedAt: engine.now(),
      id: newId("mem"),
      profileId: owner.profileId,
      category: place % 2 === 0 ? "prof:even" : "prof:odd",
      content: String(place),
      confidence: 1,
      source: "owner" as const,
      createdAt: new Date(Date.UTC(2026, 0, 1) - place),
    })),
  });
  return owner;
}

async function page(owner: Owner, input: { limit?: number; offset?: number; category?: string }) {
  const { data, meta } = await owner.client.listMemories({ did: owner.did, ...input });
  const places = Object.values(data)
    .flatMap((records) => (Array.isArray(records) ? records : []))
    .map(({ content }) => Number(content))
    .sort((one, other) => one - other);
  const { count, total, limit, offset } = meta;
  return { places, data, meta: { count, total, limit, offset } };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

describe("limit", () => {
  test("is 50 by default", async () => {
    const owner = await ownerOf(51);
    const { places, meta } = await page(owner, {});
    expect(places).toEqual(range(0, 50));
    expect(meta).toEqual({ count: 50, total: 51, limit: 50, offset: 0 });
  });

  test("may be 1 to 200; above that it is clamped to 200, and meta.limit says so", async () => {
    const owner = await ownerOf(201);
    expect((await page(owner, { limit: 1 })).places).toEqual([0]);
    expect((await page(owner, { limit: 200 })).meta).toMatchObject({ count: 200, limit: 200 });
    for (const limit of [201, 5_000]) {
      const { places, meta } = await page(owner, { limit });
      expect(places).toEqual(range(0, 200));
      expect(meta).toEqual({ count: 200, total: 201, limit: 200, offset: 0 });
    }
  });

  test("may have any number of digits", async () => {
    const owner = await ownerOf(1);
    const target = `/prof/v1/profile/${owner.did}/memories?limit=${"9".repeat(400)}&offset=0`;
    const { client } = owner;
    const response = await client.send(await client.signedRequest({ method: "GET", target }));
    expect(await response.json()).toMatchObject({ meta: { limit: 200, offset: 0, count: 1 } });
  });

  test.each(["limit=01000", "limit=05", "offset=00"])("has no leading zero: %s", async (query) => {
    const owner = await ownerOf(1);
    const target = `/prof/v1/profile/${owner.did}/memories?${query}`;
    const { client } = owner;
    const response = await client.send(await client.signedRequest({ method: "GET", target }));
    expect(await response.json()).toMatchObject({ error: { code: "PROF006" } });
  });
});

describe("offset", () => {
  test("is 0 by default; page after page shows every record once, newest first", async () => {
    const owner = await ownerOf(7);
    const pages = [];
    for (const offset of [0, 3, 6]) pages.push(await page(owner, { limit: 3, offset }));
    expect(pages.map(({ places }) => places)).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
    expect(pages.map(({ meta }) => meta.count)).toEqual([3, 3, 1]);
    expect(pages.every(({ meta }) => meta.total === 7)).toBe(true);
  });

  test("past the end gives an empty page that still tells the total", async () => {
    const owner = await ownerOf(2);
    for (const offset of [2, 2_147_483_647]) {
      const { data, meta } = await page(owner, { offset });
      expect(data).toEqual({});
      expect(meta).toEqual({ count: 0, total: 2, limit: 50, offset });
    }
  });

  test("counts within the category asked for", async () => {
    const owner = await ownerOf(6);
    const { places, meta } = await page(owner, { category: "prof:odd", limit: 2, offset: 1 });
    expect(places).toEqual([3, 5]);
    expect(meta).toEqual({ count: 2, total: 3, limit: 2, offset: 1 });
  });
});

test("records of one instant keep one order, by id, from page to page", async () => {
  const owner = await mintOwner(engine);
  const ids = Array.from({ length: 6 }, () => newId("mem"));
  await engine.db.memory.createMany({
    data: ids.map((id) => ({
      updatedAt: engine.now(),
      id,
      profileId: owner.profileId,
      category: "prof:a",
      content: "Same.",
      confidence: 1,
      source: "owner" as const,
      createdAt: engine.now(),
    })),
  });
  const seen: string[] = [];
  for (const offset of [0, 2, 4]) {
    const { data } = await page(owner, { limit: 2, offset });
    const records = data["prof:a"];
    if (Array.isArray(records)) seen.push(...records.map(({ id }) => id));
  }
  expect(seen.toSorted()).toEqual(ids.toSorted());
});

test("named values come with the first page, and are not counted", async () => {
  const owner = await ownerOf(2);
  await giveNamedValue(engine, owner.profileId, { category: "prof:work", name: "job", value: 1 });
  const first = await page(owner, { limit: 1 });
  expect(first.data["prof:work"]).toEqual({ job: 1 });
  expect(first.meta).toEqual({ count: 1, total: 2, limit: 1, offset: 0 });
  expect((await page(owner, { limit: 1, offset: 1 })).data).not.toHaveProperty("prof:work");
});
