import { randomBytes } from "node:crypto";
import { appendFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { fileTarget, type GoneRow, linesOf } from "./gone-file";
import { readCopy } from "./testing/read-copy";

const folder = await mkdtemp(path.join(tmpdir(), "gateway-gone-"));
afterAll(() => rm(folder, { recursive: true }));

let count = 0;
let file: string;
beforeEach(() => {
  file = path.join(folder, `${++count}`, "gone.jsonl");
});

function rows(first: number, last: number): GoneRow[] {
  return Array.from({ length: last - first + 1 }, (_, n) => ({
    ...{ row: `70${first + n}/${first + n}`, from: null, upto: "800:800:" },
    at: new Date(Date.UTC(2026, 2, first + n)),
    kind: "memory.deleted",
    key: new Uint8Array(randomBytes(32)),
  }));
}

async function append(some: readonly GoneRow[]): Promise<void> {
  const target = fileTarget(file);
  const { text, end } = linesOf(some, await target.findEnd());
  await target.append(text, end);
}

const entryOf = ({ at, kind, key }: GoneRow) => ({ at, kind, key });

describe("a file of what is gone", () => {
  test("has every row that was appended, also over several batches", async () => {
    const all = rows(1, 9);
    await append(all.slice(0, 4));
    await append(all.slice(4));
    expect(await readCopy(file)).toEqual({ entries: all.map(entryOf), gaps: [] });
    expect(await fileTarget(file).findEnd()).toMatchObject({ row: "709/9" });
  });

  test("is read by its owner only", async () => {
    await append(rows(1, 1));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test("is read from an instant on", async () => {
    const all = rows(1, 5);
    await append(all);
    expect(await fileTarget(file).read(new Date("2026-03-04"))).toMatchObject({
      entries: all.slice(3).map(entryOf),
    });
  });

  test("ignores a torn last line, which is written again", async () => {
    const all = rows(1, 4);
    await append(all.slice(0, 3));
    const { size } = await stat(file);
    await append(all.slice(3));
    await truncate(file, size + 40);
    const whole = all.slice(0, 3).map(entryOf);
    expect(await readCopy(file)).toEqual({ entries: whole, gaps: [] });
    expect(await fileTarget(file).findEnd()).toMatchObject({ row: "703/3" });
    await append(all.slice(3));
    expect(await readCopy(file)).toEqual({ entries: all.map(entryOf), gaps: [] });
  });

  test("that ends in what a crash left, without a whole line, begins again", async () => {
    await append(rows(1, 1));
    await truncate(file, 40);
    const again = rows(1, 2);
    await append(again);
    expect(await readCopy(file)).toEqual({ entries: again.map(entryOf), gaps: [] });
  });

  test.each([1, 2, 3])("names the gap where line %i is missing", async (missing) => {
    await append(rows(1, 4));
    const lines = (await readFile(file, "utf8")).split("\n");
    lines.splice(missing - 1, 1);
    await writeFile(file, lines.join("\n"));
    expect(await readCopy(file)).toMatchObject({ entries: { length: 3 }, gaps: [missing] });
  });

  test("names a line that was changed, and reads the others", async () => {
    await append(rows(1, 3));
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace("memory.deleted", "memory.deletes"));
    expect(await readCopy(file)).toMatchObject({ entries: { length: 3 }, gaps: [2] });
  });

  test("that ends in a damaged line is named, and is not continued", async () => {
    await append(rows(1, 2));
    await appendFile(file, "{}\n");
    expect(await readCopy(file)).toMatchObject({ entries: { length: 2 }, gaps: [3] });
    await expect(fileTarget(file).findEnd()).rejects.toThrow(/damaged.*Move the file aside/);
  });
});
