import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createEngine } from "@/lib/engine/engine";
import { createLog } from "@/lib/engine/log";
import { testEngine } from "@/tests/support/harness";
import { readGone } from "./apply-gone";
import { copyGone } from "./copy-gone";
import { fileTarget, type GoneLines, rowsAtOnce } from "./gone-file";
import { goneTargets, objectTarget } from "./gone-targets";
import { readCopy } from "./testing/read-copy";

const engine = await testEngine();
const { db, pool } = engine;
const root = await mkdtemp(path.join(tmpdir(), "gateway-copy-"));
afterAll(() => rm(root, { recursive: true }));

let count = 0;
let folder: string;
let file: string;
beforeEach(() => {
  folder = path.join(root, `${++count}`);
  file = path.join(folder, "gone.jsonl");
});

/** As triggers write them. */
function note(rows: number, client: Pick<typeof pool, "query"> = pool) {
  const text = `INSERT INTO "Gone" (kind, key) SELECT 'memory.deleted', sha256(gen_random_uuid()::text::bytea) FROM generate_series(1, $1) n`;
  return client.query(text, [rows]);
}

async function copyAll(...targets: Parameters<typeof copyGone>[1]): Promise<void> {
  while ((await copyGone(db, targets)) > 0);
}

const stored = () => readGone(db, new Date(0));
const byKey = (one: { key: Uint8Array }, other: { key: Uint8Array }) =>
  Buffer.compare(one.key, other.key);

/** The file, or these lines, have each row of the table. */
async function expectWhole(lines?: GoneLines | null): Promise<void> {
  const { entries, gaps } = lines ?? (await readCopy(file));
  expect(gaps).toEqual([]);
  expect(entries.toSorted(byKey)).toEqual((await stored()).toSorted(byKey));
}

test("rows are copied once each, in batches", async () => {
  await note(2 * rowsAtOnce + 1);
  await copyAll(fileTarget(file));
  await expectWhole();
  await note(3);
  expect(await copyGone(db, [fileTarget(file)])).toBe(3);
  expect(await copyGone(db, [fileTarget(file)])).toBe(0);
  await expectWhole();
});

describe("a transaction that ends after others that began later", () => {
  test("holds no row of theirs up, and loses none of its own", async () => {
    const late = await pool.connect();
    await late.query("BEGIN");
    await note(1, late);
    await note(1);
    expect(await copyGone(db, [fileTarget(file)])).toBeGreaterThan(0);
    await copyAll(fileTarget(file));
    await expectWhole();
    await late.query("COMMIT");
    late.release();
    await copyAll(fileTarget(file));
    await expectWhole();
  });

  test("loses and doubles no row where it ends between two batches", async () => {
    await copyAll(fileTarget(file));
    const late = await pool.connect();
    await late.query("BEGIN");
    await note(1, late);
    await note(rowsAtOnce + 1);
    expect(await copyGone(db, [fileTarget(file)])).toBe(rowsAtOnce);
    await late.query("COMMIT");
    late.release();
    await note(1);
    await copyAll(fileTarget(file));
    await expectWhole();
  });
});

test("a crash after a batch was written loses and doubles nothing", async () => {
  await note(5);
  const crashing = fileTarget(file);
  const append: typeof crashing.append = async (text, end) => {
    await crashing.append(text, end);
    throw new Error("killed");
  };
  await expect(copyGone(db, [{ ...crashing, append }])).rejects.toThrow(AggregateError);
  await copyAll(fileTarget(file));
  await expectWhole();
});

test("two instances that copy at once write each line once", async () => {
  await note(50);
  const other = createEngine(engine.env, createLog({ level: "silent" }));
  const both = [db, other.db].map((one) => copyGone(one, [fileTarget(file)]));
  await Promise.all(both).finally(() => other.stop());
  await copyAll(fileTarget(file));
  await expectWhole();
});

test("a file that is gone is written again in full", async () => {
  await note(5);
  await copyAll(fileTarget(file));
  await rm(file);
  await copyAll(fileTarget(file));
  await expectWhole();
});

test("a file of another cluster, which is further on, is continued with every row", async () => {
  await note(5);
  await copyAll(fileTarget(file));
  const [last = ""] = (await readFile(file, "utf8")).trimEnd().split("\n").slice(-1);
  const ahead = { ...JSON.parse(last), upto: "9000000000000000000:9000000000000000000:", prev: "" };
  await writeFile(file, `${JSON.stringify(ahead)}\n`);
  await copyAll(fileTarget(file));
  const { entries, gaps } = await readCopy(file);
  expect([entries.length, gaps]).toEqual([1 + (await stored()).length, []]);
});

test("a target that cannot be written is named, holds no other up, and gets its lines later", async () => {
  await note(5);
  await mkdir(file, { recursive: true });
  const other = path.join(folder, "other", "gone.jsonl");
  const failing = copyGone(db, [fileTarget(file), fileTarget(other)]);
  await expect(failing).rejects.toMatchObject({
    errors: [{ message: expect.stringContaining(file) }],
  });
  const { entries } = await readCopy(other);
  expect(entries.length).toBeGreaterThan(0);
  await rm(file, { recursive: true });
  await copyAll(fileTarget(file), fileTarget(other));
  await expectWhole();
});

describe("objects", () => {
  const objects = new Map<string, string>();
  let fails = false;
  const storage = {
    description: "storage.example/bucket/",
    write: async (name: string, text: string) => {
      objects.set(name, text);
      if (fails) throw new Error("no answer");
    },
    list: async () =>
      [...objects].map(([name, text]) => ({ name, bytes: Buffer.byteLength(text) })).reverse(),
    read: async (name: string) => Readable.from([Buffer.from(objects.get(name) ?? "")]),
  };
  const target = objectTarget(db, storage);
  const numbersUpTo = (count: number) =>
    Array.from({ length: count }, (_, n) => `gone/${`${n + 1}`.padStart(9, "0")}.jsonl`);

  test("are numbered, one a batch, and go on where they were after a failed write", async () => {
    await note(1);
    await copyAll(target);
    const before = objects.size;
    await note(2);
    fails = true;
    await expect(copyGone(db, [target])).rejects.toThrow(AggregateError);
    fails = false;
    await note(1);
    await copyAll(target);
    expect([...objects.keys()]).toEqual(numbersUpTo(before + 1));
    await expectWhole(await target.read());
  });

  test("that a lost database wrote are kept, and are read back before those after it", async () => {
    const before = objects.size;
    await db.job.deleteMany();
    await note(1);
    await copyAll(target);
    expect([...objects.keys()]).toEqual(numbersUpTo(objects.size));
    expect(objects.size).toBeGreaterThan(before);
    const keys = (await target.read())?.entries.map(({ key }) => Buffer.from(key).toString("hex"));
    expect(new Set(keys)).toHaveLength((await stored()).length);
  });

  test("one that is missing is a gap", async () => {
    objects.delete(numbersUpTo(1)[0] ?? "");
    expect(await target.read()).toMatchObject({ gaps: [1] });
  });

  test.each([
    ["all of them are", () => objects.clear()],
    ["the last one is", () => objects.delete([...objects.keys()].sort().at(-1) ?? "")],
  ])("%s deleted -> the next start writes every row again", async (_which, remove) => {
    remove();
    const next = createEngine(engine.env, createLog({ level: "silent" }));
    const nextTarget = objectTarget(next.db, storage);
    while ((await copyGone(next.db, [nextTarget])) > 0);
    const lines = await nextTarget.read();
    const keys = lines?.entries.map(({ key }) => Buffer.from(key).toString("hex"));
    expect([new Set(keys).size, lines?.gaps]).toEqual([(await stored()).length, []]);
    const before = objects.size;
    expect([await copyGone(next.db, [nextTarget]), objects.size]).toEqual([0, before]);
    await next.stop();
  });
});

test.each([
  [undefined, []],
  ["/backups", ["/backups/gone.jsonl"]],
  ["file:///backups", ["/backups/gone.jsonl"]],
  ["s3://KEY:SECRET@storage.example/bucket/gateway", ["storage.example/bucket/gateway/gone/"]],
])("with BACKUP_URL %s, the other targets are %s", (BACKUP_URL, others) => {
  const env = { ...engine.env, DATA_FOLDER: "/data", BACKUP_URL };
  const names = goneTargets(env, db).map(({ name }) => name);
  expect(names).toEqual(["/data/gone.jsonl", ...others]);
});

// The last one: the row never leaves the table.
test("a row with a number of another cluster's future is not copied again and again", async () => {
  await copyAll(fileTarget(file));
  await pool.query(
    `INSERT INTO "Gone" (kind, key, xid) VALUES ('memory.deleted', sha256('1'), '9000000000000000000')`,
  );
  await note(1);
  expect(await copyGone(db, [fileTarget(file)])).toBe(1);
  expect(await copyGone(db, [fileTarget(file)])).toBe(0);
});
