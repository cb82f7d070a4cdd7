import { createHash } from "node:crypto";
import { z } from "zod";
import { claimedDate } from "../formats/claimed-date";
import { type Collector, ImportRefused } from "../formats/item";
import { parseLine } from "../formats/jsonl";
import { demandText, linesOf } from "../formats/text";

const Manifest = z.object({ format: z.string().regex(/^1\.[01](?:\.|$)/) });
const Texts = z.array(z.string()).catch([]);
const Text = z.string().catch("");
const date = z.unknown().optional();

const Episode = z.object({
  id: Text,
  details: Text,
  summary: Text,
  eventTime: date,
  categories: Texts,
  deletedAt: date,
});
const Fact = z.object({
  id: Text,
  text: Text,
  tValidFrom: date,
  tValidTo: date,
  supersededBy: z.unknown().optional(),
});
const Preference = z.object({ id: Text, key: Text, value: z.unknown() });
const Tombstone = z.object({ targetKind: z.string(), targetID: z.string(), op: z.string() });

const items = {
  episode: "items/episode.jsonl",
  fact: "items/fact.jsonl",
  preference: "items/preference.jsonl",
};
const tombstones = "audit/tombstones.jsonl";
const checksums = "CHECKSUMS";
const manifest = "manifest.json";
const parts: readonly string[] = [manifest, checksums, tombstones, ...Object.values(items)];

type Files = ReadonlyMap<string, Buffer>;

/** Returns which file of a `.mem` folder a path names; the folder itself may be in the path. */
export function memPart(path: string): string | undefined {
  return parts.find((part) => path === part || path.replace(/^[^/]+\//, "") === part);
}

export function isMem(files: Files): boolean {
  return files.has(manifest) && files.has(checksums);
}

/** Reads a `.mem` folder, by its parts. */
export function readMem(files: Files, collector: Collector): void {
  const version = textOf(files, manifest);
  if (!Manifest.safeParse(parseLine(version)).success) {
    throw refused("is of another version", "export it as version 1.0 or 1.1");
  }
  demandChecksums(files);
  const gone = new Set<string>();
  for (const { targetKind, targetID, op } of linesIn(files, tombstones, Tombstone)) {
    if (op === "delete") gone.add(`${targetKind} ${targetID}`);
  }
  for (const episode of linesIn(files, items.episode, Episode)) {
    const { id, details, summary, eventTime, categories, deletedAt } = episode;
    if (gone.has(`episode ${id}`) || deletedAt != null) collector.leave("deleted");
    else {
      const section = categories.join(", ");
      collector.add({ content: details || summary, date: claimedDate(eventTime), section });
    }
  }
  for (const fact of linesIn(files, items.fact, Fact)) {
    const { id, text, tValidFrom, tValidTo, supersededBy } = fact;
    if (gone.has(`fact ${id}`)) collector.leave("deleted");
    else if (supersededBy != null || tValidTo != null) collector.leave("archived");
    else collector.add({ content: text, date: claimedDate(tValidFrom) });
  }
  for (const { id, key, value } of linesIn(files, items.preference, Preference)) {
    if (gone.has(`preference ${id}`)) collector.leave("deleted");
    else {
      const text = typeof value === "string" ? value : JSON.stringify(value ?? "");
      collector.add({ content: `${key}: ${text}`, section: "Preferences" });
    }
  }
}

function textOf(files: Files, path: string): string {
  return demandText(files.get(path) ?? Buffer.alloc(0)).toString();
}

function* linesIn<Line>(files: Files, path: string, schema: z.ZodType<Line>): Generator<Line> {
  for (const line of linesOf(demandText(files.get(path) ?? Buffer.alloc(0)))) {
    if (line.trim() === "") continue;
    const { data } = schema.safeParse(parseLine(line));
    if (data === undefined) {
      throw refused(`has a line in ${path} that cannot be read`, "export it again");
    }
    yield data;
  }
}

function demandChecksums(files: Files): void {
  const sums = new Map<string, string>();
  for (const line of linesOf(demandText(files.get(checksums) ?? Buffer.alloc(0)))) {
    const [, sum, path = ""] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line.trim()) ?? [];
    if (sum !== undefined && parts.includes(path)) sums.set(path, sum);
  }
  for (const path of parts) {
    if (path === checksums || (path === manifest && !sums.has(path))) continue;
    const bytes = files.get(path);
    const sum = bytes && createHash("sha256").update(bytes).digest("hex");
    if (sums.get(path) !== sum) {
      throw refused("does not match its checksums", "export it again, and do not change it");
    }
  }
}

function refused(problem: string, remedy: string): ImportRefused {
  return new ImportRefused(`The .mem file ${problem}`, remedy);
}
