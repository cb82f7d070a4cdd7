import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { Collector } from "../formats/item";
import { memPart, readMem } from "./dot-mem";

const jsonl = (...all: object[]) => all.map((one) => `${JSON.stringify(one)}\n`).join("");
const summed = (files: Record<string, string>) => {
  const sums = Object.entries(files).map(
    ([path, text]) => `${createHash("sha256").update(text).digest("hex")}  ${path}\n`,
  );
  const all = { ...files, CHECKSUMS: sums.join(""), "manifest.json": '{"format":"1.0.0"}' };
  return new Map(Object.entries(all).map(([path, text]) => [path, Buffer.from(text)]));
};

const episodes = jsonl(
  { id: "e1", details: "Likes green tea", eventTime: "2026-01-15T00:00:00Z", categories: ["food"] },
  { id: "e2", details: "Has three goats" },
);
const facts = jsonl(
  { id: "f1", text: "Lives in Riga", tValidFrom: "2025-01-01T00:00:00Z" },
  { id: "f2", text: "Lived in Bergen", tValidTo: "2025-01-01T00:00:00Z" },
);
const mem = () =>
  summed({
    "items/episode.jsonl": episodes,
    "items/fact.jsonl": facts,
    "items/preference.jsonl": jsonl({ key: "tea", value: "green" }),
    "audit/tombstones.jsonl": jsonl({ targetKind: "episode", targetID: "e2", op: "delete" }),
  });

function read(files: Map<string, Buffer>) {
  const collector = new Collector();
  readMem(files, collector);
  return collector.contents;
}

test("present items -> items; what has a tombstone or is over -> left out and counted", () => {
  const { items, leftOut } = read(mem());
  expect(items).toMatchObject([
    { content: "Likes green tea", date: { text: "2026-01-15T00:00:00.000Z" }, section: "food" },
    { content: "Lives in Riga", date: { text: "2025-01-01T00:00:00.000Z" }, section: null },
    { content: "tea: green", date: null, section: "Preferences" },
  ]);
  expect(leftOut).toEqual({ deleted: 1, archived: 1 });
});

test("a changed file, one without its checksum, or one that is missing -> refused", () => {
  const changed = mem();
  changed.set("items/episode.jsonl", Buffer.from(episodes.replace("green", "black")));
  const added = summed({ "items/fact.jsonl": facts });
  added.set("items/episode.jsonl", Buffer.from(episodes));
  const missing = mem();
  missing.delete("audit/tombstones.jsonl");
  for (const files of [changed, added, missing]) {
    expect(() => read(files)).toThrow(/does not match its checksums/);
  }
});

test("another version, or a line that is damaged -> refused", () => {
  const files = mem();
  files.set("manifest.json", Buffer.from('{"format":"2.0.0"}'));
  expect(() => read(files)).toThrow(/of another version/);
  expect(() => read(summed({ "items/fact.jsonl": "{" }))).toThrow(/has a line/);
});

test("paths in the folder, or below it -> parts; others -> none", () => {
  expect(memPart("sample.mem/items/fact.jsonl")).toBe("items/fact.jsonl");
  expect(memPart("CHECKSUMS")).toBe("CHECKSUMS");
  expect(memPart("a/b/CHECKSUMS")).toBeUndefined();
});
