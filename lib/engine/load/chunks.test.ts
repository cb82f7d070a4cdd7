import { beforeEach, describe, expect, test } from "vitest";
import { testEngine } from "@/tests/support/harness";
import { Prisma } from "../prisma-client/client";
import { chunkBytesMax, chunkSql, pieces, readChunk } from "./chunks";

const { pool } = await testEngine();

interface Row {
  n: number;
  text: string;
}

// Rows of so many bytes, in order.
const statement = (sizes: number[], limit: number, after: number) =>
  chunkSql({
    rows: Prisma.sql`SELECT n::int, repeat('x', size) AS text
      FROM unnest(${sizes}::int[]) WITH ORDINALITY AS s (size, n) WHERE n > ${after} ORDER BY n LIMIT ${limit}`,
    order: Prisma.sql`n`,
  });

const read = (sizes: number[], limit: number, after = 0) =>
  readChunk<Row>(pool, statement(sizes, limit, after));

describe("a piece", () => {
  const half = chunkBytesMax / 2;

  test.each([
    ["all rows, where they are within the bound", [1, 2, 3], 10, [1, 2, 3], false],
    ["no more than it is asked for", [1, 2, 3], 2, [1, 2], false],
    ["rows up to the bound", [half, half, 1, 1], 10, [1, 2], true],
    ["one that is longer than the bound", [chunkBytesMax * 2, 1], 10, [1], true],
    ["nothing, where there is nothing", [], 10, [], false],
  ])("has %s", async (_what, sizes, limit, numbers, isCut) => {
    const piece = await read(sizes, limit);
    expect(piece.rows.map(({ n }) => n)).toEqual(numbers);
    expect(piece.isCut).toBe(isCut);
    for (const row of piece.rows) expect(Object.keys(row)).toEqual(["n", "text"]);
  });
});

describe("all rows in pieces", () => {
  let turn = 0;

  beforeEach(() => {
    let ticking = setImmediate(function tick() {
      turn++;
      ticking = setImmediate(tick);
    });
    return () => clearImmediate(ticking);
  });

  const sizes = Array.from({ length: 150 }, (_, at) => (at % 50 === 0 ? chunkBytesMax : 5_000));

  async function readAll(rowsMax: number) {
    const numbers: number[] = [];
    const turns: number[] = [];
    for await (const rows of pieces<Row>(rowsMax, (limit, last) => read(sizes, limit, last?.n))) {
      turns.push(turn);
      numbers.push(...rows.map(({ n }) => n));
      const bytes = rows.reduce((sum, { text }) => sum + text.length, 0);
      expect(bytes).toBeLessThan(2 * chunkBytesMax + 5_000);
    }
    return { numbers, turns };
  }

  test.each([1, 64, 100, 1_000])(
    "come once each and in order, %i at most at a time",
    async (max) => {
      const { numbers } = await readAll(max);
      expect(numbers).toEqual(sizes.map((_, at) => at + 1));
    },
  );

  test("come each in a turn of its own, also where two are read at once", async () => {
    const turns = (await Promise.all([readAll(1_000), readAll(1_000)])).flatMap((all) => all.turns);
    expect(new Set(turns).size).toBe(turns.length);
  });
});
