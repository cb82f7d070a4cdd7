import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { Zip, ZipDeflate, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { ImportRefused } from "../formats/item";
import { gunzip, unzip } from "./unzip";

/** At level 0 the files are stored as they are. */
const zipOf = (files: Record<string, string | Buffer>, level: 0 | 6 = 6) =>
  Buffer.from(
    zipSync(
      Object.fromEntries(Object.entries(files).map(([path, file]) => [path, Buffer.from(file)])),
      { level },
    ),
  );
const large = (bytes: number) => Buffer.alloc(bytes, "a");
const whole = zipOf({ "a.txt": randomBytes(5_000) });
const bomb = zipOf({ "a.txt": large(2_000_000) });

test("wanted files -> their bytes; others -> only their paths", () => {
  const zip = zipOf({ "a.json": "[1]", "photo.bin": large(30_000_000), "b.json": "[2]" }, 0);
  const { files, paths } = unzip(zip, (path) => path.endsWith(".json"));
  expect([...files].map(([path, bytes]) => [path, bytes.toString()])).toEqual([
    ["a.json", "[1]"],
    ["b.json", "[2]"],
  ]);
  expect(paths).toContain("photo.bin");
});

test("a file without sizes before its entries -> unpacked", () => {
  const photo = Buffer.concat([randomBytes(50_000), whole, randomBytes(50_000)]);
  const { files } = unzip(
    streamed({ photo, "a.json": Buffer.from("[1]") }),
    (path) => path !== "photo",
  );
  expect(files.get("a.json")?.toString()).toBe("[1]");
});

describe("bounds", () => {
  const many = Object.fromEntries(Array.from({ length: 5_001 }, (_, nth) => [`${nth}.txt`, "x"]));
  test.each<[string, () => Buffer, RegExp]>([
    ["5,001 files", () => zipOf(many, 0), /more than 5,000 files/],
    ["more than 25 MB", () => zipOf({ "a.txt": large(27_000_000) }, 0), /more than 25 MB/],
    ["over 25 MB in parts", () => zipOf({ a: large(14e6), b: large(14e6) }, 0), /more than 25 MB/],
    ["a ratio above 100", () => bomb, /100 times its size/],
    ["a ratio above 100 beside another file", beside, /100 times its size/],
    [
      "a size that is too small for a bomb",
      () => patched(bomb, (d) => d.writeUInt32LE(10, 24)),
      /100 times its size/,
    ],
    [
      "a packed size that is too small",
      () => patched(whole, (d) => d.writeUInt32LE(100, 20)),
      /damaged/,
    ],
    [
      "a packed size that is too large",
      () => patched(whole, (d) => d.writeUInt32LE(1e6, 20)),
      /damaged/,
    ],
    ["an unknown method", () => patched(whole, (d) => d.writeUInt16LE(12, 10)), /cannot be read/],
    [
      "a place of the file that is too large",
      () => patched(whole, (d) => d.writeUInt32LE(1e6, 42)),
      /damaged/,
    ],
    ["a bomb without sizes", () => streamed({ a: large(20_000_000) }), /100 times its size/],
    ["an encrypted entry", () => encrypted(), /is encrypted/],
    ["files that overlap", overlapping, /overlap/],
    ["two files of one name", twice, /two files of one name/],
    ["a path that leads up", () => zipOf({ "../a.txt": "x" }), /out of its folder/],
    ["a path that leads up within", () => zipOf({ "a/../../b.txt": "x" }), /out of its folder/],
    ["an absolute path", () => zipOf({ "/a.txt": "x" }), /out of its folder/],
    ["a path with a drive", () => zipOf({ "C:a.txt": "x" }), /out of its folder/],
    ["a path with a backslash", () => zipOf({ "..\\a.txt": "x" }), /out of its folder/],
    ["a file that was cut off", () => whole.subarray(0, 2_000), /damaged/],
  ])("%s -> refused", (_title, make, why) => {
    expectRefusal(() => unzip(make(), () => true), why);
  });

  test.each<[string, Buffer, RegExp]>([
    ["a gzip file with a ratio above 100", gzipSync(large(2_000_000)), /100 times its size/],
    ["a gzip file of more than 25 MB", gzipSync(randomBytes(27_000_000)), /more than 25 MB/],
    ["a gzip file that was cut off", gzipSync("Likes tea").subarray(0, 15), /damaged/],
  ])("%s -> refused", (_title, gzip, why) => {
    expectRefusal(() => gunzip(gzip), why);
  });
});

function expectRefusal(work: () => void, why: RegExp) {
  expect(work).toThrow(ImportRefused);
  expect(work).toThrow(why);
  expect(work).toThrow(/, so nothing was kept: [^.]+\.$/);
}

function beside() {
  return zipOf({ "a.txt": randomBytes(100_000), "b.txt": large(2_000_000) });
}

/** Two entries of the directory name the bytes of one file. */
function overlapping() {
  const zip = zipOf({ "a.txt": randomBytes(5_000), "b.txt": "x" });
  const second = zip.lastIndexOf("PK\x01\x02");
  zip.writeUInt32LE(5_005, second + 20);
  zip.writeUInt32LE(0, second + 42);
  return zip;
}

function twice() {
  const zip = zipOf({ "a.json": "[1]", "b.json": "[2]" });
  zip.write("a.json", zip.lastIndexOf("b.json"));
  return zip;
}

/** Changes what the directory says about the first file. */
function patched(zip: Buffer, change: (directory: Buffer) => void) {
  const copy = Buffer.from(zip);
  change(copy.subarray(copy.indexOf("PK\x01\x02")));
  return copy;
}

/** As packers write AES: with a method of its own. */
function encrypted() {
  return patched(whole, (directory) => {
    directory.writeUInt16LE(1, 8);
    directory.writeUInt16LE(99, 10);
  });
}

/** As packers write it that stream: the sizes follow each file. */
function streamed(files: Record<string, Buffer>) {
  const parts: Uint8Array[] = [];
  const zip = new Zip((error, part) => {
    if (error) throw error;
    parts.push(part);
  });
  for (const [path, bytes] of Object.entries(files)) {
    const file = new ZipDeflate(path);
    zip.add(file);
    file.push(bytes, true);
  }
  zip.end();
  return Buffer.concat(parts);
}
