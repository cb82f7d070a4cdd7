import { z } from "zod";
import { claimedDate } from "./claimed-date";
import type { Collector } from "./item";
import { leftOutBy } from "./json";
import { linesOf } from "./text";

const Texts = z.array(z.string()).catch([]);
const Entry = z
  .object({
    content: z.string().optional().catch(undefined),
    memory: z.string().optional().catch(undefined),
    text: z.string().optional().catch(undefined),
    state: z.string().catch("active"),
    categories: Texts,
    tags: Texts,
    created_at: z.unknown().optional(),
  })
  .transform(({ content, memory, text, ...rest }) => ({ ...rest, text: content ?? memory ?? text }))
  .refine(({ text }) => text !== undefined);

const lineMax = 1024 * 1024;

/** Reads one object with `content`, `memory` or `text` a line. */
export function readJsonl(bytes: Buffer, collector: Collector): void {
  for (const line of linesOf(bytes)) {
    if (line.trim() === "") continue;
    const entry = entryOf(line);
    if (entry === undefined) collector.leave("unreadable");
    else if (entry.state !== "active") collector.leave(leftOutBy(entry.state));
    else {
      const { text = "", categories, tags, created_at } = entry;
      const section = [...categories, ...tags].join(", ");
      collector.add({ content: text, date: claimedDate(created_at), section });
    }
  }
}

/** Returns whether the first line with text is such an object. */
export function isJsonl(bytes: Buffer): boolean {
  for (const line of linesOf(bytes)) {
    if (line.trim() !== "") return entryOf(line) !== undefined;
  }
  return false;
}

function entryOf(line: string): z.output<typeof Entry> | undefined {
  return Entry.safeParse(parseLine(line)).data;
}

/** Parses a line of JSON; undefined where it is not valid, or larger than 1 MB. */
export function parseLine(line: string): unknown {
  if (line.length > lineMax) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
