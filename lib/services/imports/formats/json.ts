import { z } from "zod";
import { claimedDate } from "./claimed-date";
import { type Collector, ImportRefused, type LeftOut } from "./item";
import { childrenOf, isList, isObject, parse, rootOf, type Slice } from "./json-slices";
import { readLines } from "./lines";

const Text = z.string().catch("");
const Texts = z.array(z.string()).catch([]);
const date = z.unknown().optional();

const ChatGptFileEntry = z.object({
  content: Text,
  enabled: z.boolean().catch(true),
  created_at: date,
});
const ChatGptAnswerEntry = z.object({
  content: Text,
  status: z.string().catch("active"),
  created_timestamp: date,
  updated_at: date,
});
const Mem0Entry = z.object({ memory: Text, categories: Texts, created_at: date });
const MifEntry = z.object({ content: Text, tags: Texts, created_at: date });
const OpenMemoryEntry = z.object({
  content: Text,
  state: z.string().catch("active"),
  category_ids: Texts,
  created_at: date,
});
const OpenMemoryCategories = z.array(z.object({ id: z.string(), name: z.string() })).catch([]);
const ArchiveEntry = z.object({
  content: Text,
  category: z.string().toLowerCase().optional().catch(undefined),
  createdAt: date,
  archivedAt: date,
  deletedAt: date,
});

const archiveVersion = 1;
const mem0PageItems = 20;

/** The members that formats are recognized by, or that are read; all others are skipped unparsed. */
const names = new Set([
  ...["conversations_memory", "project_memories", "mapping", "content", "status", "state"],
  ...["results", "next", "memories", "categories", "export_meta"],
  ...["mif_version", "format", "version"],
]);

interface Document {
  bytes: Buffer;
  root: Slice;
  members: Map<string, Slice>;
  /** The list that the memories are in. */
  list: Slice | undefined;
}

/** Each returns a warning for the person, if there is one. */
const readers = {
  archive: readArchive,
  "claude-memories": readClaude,
  "chatgpt-memory": readChatGptFile,
  "chatgpt-saved": readChatGptAnswer,
  mem0: readMem0,
  openmemory: readOpenMemory,
  mif: readMif,
};
export type JsonFormat = keyof typeof readers;
export const jsonFormats = Object.keys(readers) as JsonFormat[];

/** Reads a JSON file in that format, or in the one that its members show. */
export function readJson(
  bytes: Buffer,
  collector: Collector,
  forced?: JsonFormat,
): { format: JsonFormat; warning?: string } {
  const root = rootOf(bytes);
  const members = membersOf(bytes, root);
  const list = isList(bytes, root) ? root : (members.get("results") ?? members.get("memories"));
  const document = { bytes, root, members, list };
  const format = forced ?? formatOf(document);
  const warning = readers[format](document, collector);
  return { format, warning };
}

export function conversationsRefused(): ImportRefused {
  const remedy = "ask the assistant to list what it remembers, and paste its answer";
  return new ImportRefused("The export has conversations, not memories", remedy);
}

function formatOf({ bytes, root, members, list }: Document): JsonFormat {
  const first = list && isList(bytes, list) ? childrenOf(bytes, list).next().value : undefined;
  const entry: Map<string, Slice> = first ? membersOf(bytes, first) : new Map();
  if (members.has("mapping") || entry.has("mapping")) throw conversationsRefused();
  if (members.has("conversations_memory") || entry.has("conversations_memory")) {
    return "claude-memories";
  }
  if (members.has("mif_version")) return "mif";
  if (parse(bytes, members.get("format")) === "profile-archive") return "archive";
  if (members.has("results")) return "mem0";
  if (members.has("export_meta") || entry.has("state")) return "openmemory";
  if (entry.has("status")) return "chatgpt-saved";
  if (isList(bytes, root) && entry.has("content")) return "chatgpt-memory";
  const remedy = "choose its format, or paste the memories as a list with one on each line";
  throw new ImportRefused("The JSON is not of a format that can be recognized", remedy);
}

function membersOf(bytes: Buffer, slice: Slice): Map<string, Slice> {
  const members = new Map<string, Slice>();
  if (!isObject(bytes, slice)) return members;
  for (const child of childrenOf(bytes, slice)) {
    if (names.has(child.key)) members.set(child.key, child);
  }
  return members;
}

function readEntries<Entry>(
  { bytes, list }: Document,
  schema: z.ZodType<Entry>,
  collector: Collector,
  read: (entry: Entry) => void,
): void {
  if (list === undefined || !isList(bytes, list)) return;
  for (const child of childrenOf(bytes, list)) {
    const data = isObject(bytes, child) && schema.safeParse(parse(bytes, child)).data;
    if (!data) collector.leave("unreadable");
    else read(data);
  }
}

function readClaude({ bytes, root }: Document, collector: Collector): undefined {
  const accounts = isList(bytes, root) ? childrenOf(bytes, root) : [root];
  for (const account of accounts) {
    const members = membersOf(bytes, account);
    const projects = members.get("project_memories");
    const hasProjects = projects !== undefined && isObject(bytes, projects);
    for (const slice of [
      ...[members.get("conversations_memory")].filter((one) => one !== undefined),
      ...(hasProjects ? childrenOf(bytes, projects) : []),
    ]) {
      const { data } = z.string().safeParse(parse(bytes, slice));
      if (data === undefined) collector.leave("unreadable");
      else readLines(Buffer.from(data), collector);
    }
  }
}

function readMif(document: Document, collector: Collector): undefined {
  const version = parse(document.bytes, document.members.get("mif_version"));
  if (version !== "2.0") {
    const remedy = 'export it with `mif_version` "2.0"';
    throw new ImportRefused("The file is not MIF (Memory Interchange Format) 2.0", remedy);
  }
  readEntries(document, MifEntry, collector, ({ content, tags, created_at }) =>
    collector.add({ content, date: claimedDate(created_at), section: tags.join(", ") }),
  );
}

function readArchive(document: Document, collector: Collector): undefined {
  const version = parse(document.bytes, document.members.get("version"));
  if (version !== archiveVersion) {
    const remedy = `import an archive of version ${archiveVersion}`;
    throw new ImportRefused("The archive is of another version", remedy);
  }
  readEntries(document, ArchiveEntry, collector, (entry) => {
    if (entry.deletedAt != null) return collector.leave("deleted");
    if (entry.archivedAt != null) return collector.leave("archived");
    const { content, category, createdAt } = entry;
    collector.add({ content, category, date: claimedDate(createdAt) });
  });
}

function readChatGptAnswer(document: Document, collector: Collector): undefined {
  readEntries(document, ChatGptAnswerEntry, collector, (entry) => {
    const { content, status, created_timestamp, updated_at } = entry;
    if (status !== "active") return collector.leave(leftOutBy(status));
    collector.add({ content, date: claimedDate(created_timestamp) ?? claimedDate(updated_at) });
  });
}

function readChatGptFile(document: Document, collector: Collector): undefined {
  readEntries(document, ChatGptFileEntry, collector, ({ content, enabled, created_at }) => {
    if (!enabled) return collector.leave("off");
    collector.add({ content, date: claimedDate(created_at) });
  });
}

function readMem0(document: Document, collector: Collector): string | undefined {
  let count = 0;
  readEntries(document, Mem0Entry, collector, ({ memory, categories, created_at }) => {
    count += 1;
    const section = categories.join(", ");
    collector.add({ content: memory, date: claimedDate(created_at), section });
  });
  const hasNext = typeof parse(document.bytes, document.members.get("next")) === "string";
  if (hasNext) return "This is one page of a longer list. Import the other pages too.";
  if (count !== mem0PageItems) return undefined;
  return `The file has exactly ${mem0PageItems} memories, as many as mem0 exports unless \`top_k\` is raised. Check that they are all.`;
}

function readOpenMemory(document: Document, collector: Collector): undefined {
  const { bytes, members } = document;
  const categories = OpenMemoryCategories.parse(parse(bytes, members.get("categories")));
  const nameOf = new Map(categories.map(({ id, name }) => [id, name]));
  readEntries(document, OpenMemoryEntry, collector, (entry) => {
    if (entry.state !== "active") return collector.leave(leftOutBy(entry.state));
    const section = entry.category_ids.flatMap((id) => nameOf.get(id) ?? []).join(", ");
    collector.add({ content: entry.content, date: claimedDate(entry.created_at), section });
  });
}

/** Returns why an entry in a state other than active is left out. */
export function leftOutBy(state: string): LeftOut {
  if (state === "deleted") return "deleted";
  return state === "paused" || state === "disabled" ? "off" : "archived";
}
