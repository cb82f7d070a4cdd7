import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { ImportRefused } from "./formats/item";
import vectors from "./formats/vectors.json";
import { type ImportFormat, readImport } from "./read-import";

interface Vector {
  id: string;
  format: string;
  input: string;
  items?: { content: string; date: string | null; section?: string }[];
  skipped?: number;
  refused?: string;
}

const contentsOf = (input: string | Uint8Array, format?: ImportFormat) =>
  readImport(input, { format }).items.map(({ content }) => content);
const zipOf = (files: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([path, file]) => [
        path,
        typeof file === "string" ? strToU8(file) : file,
      ]),
    ),
  );

test.each<Vector>(vectors)("$id: $format", ({ format, input, items, skipped, refused }) => {
  if (refused !== undefined) {
    expect(() => readImport(input)).toThrow(refused);
    return;
  }
  const read = readImport(input);
  expect(read.format).toBe(format);
  const found = read.items.map(({ content, date, section }) => ({
    ...{ content, date: date?.text.replace(".000Z", "Z") ?? null },
    ...(section === null ? {} : { section }),
  }));
  expect(found).toEqual(items);
  expect(read.leftOut).toEqual(skipped === undefined ? {} : { empty: skipped });
});

const claude = {
  conversations_memory: "**Work**\n\nIs a baker.",
  project_memories: { a: "Bakes." },
};
const saved = { content: "Likes tea", status: "active", created_timestamp: 1_768_471_200 };
const openMemory = {
  categories: [{ id: "c1", name: "food" }],
  memories: [
    { content: "Likes tea", state: "active", category_ids: ["c1"], created_at: "2026-01-15" },
    { content: "Had a cat", state: "deleted" },
    { content: "Had a dog", state: "paused" },
  ],
};
const jsonl =
  '{"content":"Likes tea","categories":["food"]}\n{"memory":"Sings"}\n\n{"text":"Bakes"}\n{"a"\n';
const archived = {
  content: "Sleeps well",
  category: "prof:Health.sleep",
  createdAt: "2026-01-15T10:00:00.000Z",
};
const archive = {
  format: "profile-archive",
  version: 1,
  profile: { did: "did:prof:user:x" },
  memories: [
    { ...archived, archivedAt: null, deletedAt: null, revisions: [] },
    { ...archived, archivedAt: "2026-02-01T00:00:00.000Z" },
    { ...archived, deletedAt: "2026-02-01T00:00:00.000Z" },
  ],
  events: [{ id: "evt_1" }],
};

describe("a format that was not chosen", () => {
  test.each<[string, object, object]>([
    [
      "claude-memories",
      claude,
      { items: [{ content: "Is a baker.", section: "Work" }, { content: "Bakes." }] },
    ],
    [
      "chatgpt-memory",
      [
        { content: "Likes tea", created_at: "2026-01-15" },
        { content: "Sings", enabled: false },
      ],
      { items: [{ content: "Likes tea", date: { text: "2026-01-15" } }], leftOut: { off: 1 } },
    ],
    [
      "chatgpt-saved",
      { memories: [saved, { content: "Had a cat", status: "archived" }] },
      { items: [{ date: { text: "2026-01-15T10:00:00.000Z" } }], leftOut: { archived: 1 } },
    ],
    [
      "mem0",
      { count: 1, next: null, results: [{ memory: "Likes tea", categories: ["food"] }] },
      { items: [{ content: "Likes tea", section: "food" }] },
    ],
    [
      "openmemory",
      openMemory,
      { items: [{ content: "Likes tea", section: "food" }], leftOut: { deleted: 1, off: 1 } },
    ],
    [
      "mif",
      { memories: [{ content: "Likes tea", tags: ["food"] }], mif_version: "2.0" },
      { items: [{ section: "food" }] },
    ],
    [
      "archive",
      archive,
      {
        items: [{ content: "Sleeps well", category: "prof:health.sleep" }],
        leftOut: { archived: 1, deleted: 1 },
      },
    ],
  ])("members of %s -> recognized", (format, value, expected) => {
    expect(readImport(JSON.stringify(value, null, 2))).toMatchObject({ format, ...expected });
  });

  test("JSON Lines -> jsonl, with broken lines counted", () => {
    const { format, items, leftOut } = readImport(jsonl);
    expect({ format, contents: items.map(({ content }) => content), leftOut }).toEqual({
      ...{ format: "jsonl", contents: ["Likes tea", "Sings", "Bakes"] },
      leftOut: { unreadable: 1 },
    });
  });

  test("blocks of mem0's plugin -> mem0-plugin, with lines of dashes in a text", () => {
    const head = "---\r\nid: 1\r\ncreated_at: 2026-01-15\r\ncategories: food, home\r\n---\r\n";
    expect(readImport(`${head}Likes tea\n\n---\nand rusks\n${head}Sings\n`)).toMatchObject({
      format: "mem0-plugin",
      items: [
        {
          content: "Likes tea\n\n---\nand rusks",
          date: { text: "2026-01-15" },
          section: "food, home",
        },
        { content: "Sings" },
      ],
    });
  });

  test("a list after front matter -> markdown", () => {
    expect(readImport("---\ntitle: Me\n---\n- Likes tea").format).toBe("markdown");
  });
});

describe("in a zip file", () => {
  test.each<[string, Record<string, string | Uint8Array>, string, string[]]>([
    [
      "memories.json of Claude",
      { "users.json": "[]", "memories.json": JSON.stringify([claude]), "conversations.json": "[]" },
      "claude-memories",
      ["Is a baker.", "Bakes."],
    ],
    [
      "memories/<id>.json of Claude",
      { "memories/1.json": JSON.stringify(claude), "memories/2.json": JSON.stringify(claude) },
      "claude-memories",
      ["Is a baker.", "Bakes.", "Is a baker.", "Bakes."],
    ],
    [
      "memory.json of ChatGPT",
      { "conversations.json": "[]", "memory.json": '[{"content":"Sings"}]' },
      "chatgpt-memory",
      ["Sings"],
    ],
    [
      "both files of OpenMemory",
      { "memories.jsonl.gz": gzipSync(jsonl), "memories.json": JSON.stringify(openMemory) },
      "openmemory",
      ["Likes tea"],
    ],
    [
      "memories.jsonl.gz alone",
      { "memories.jsonl.gz": gzipSync(jsonl) },
      "jsonl",
      ["Likes tea", "Sings", "Bakes"],
    ],
    ["a .mem folder", memFiles("sample.mem/"), "dot-mem", ["Likes tea"]],
  ])("%s -> its memories", (_title, files, format, contents) => {
    const zip = zipOf(files);
    expect(readImport(zip).format).toBe(format);
    expect(contentsOf(zip)).toEqual(contents);
  });

  test.each<[string, Record<string, string | Uint8Array>, RegExp]>([
    ["only conversations", { "conversations.json": "[]" }, /has conversations/],
    ["another zip file", { "inner.zip": zipOf({ "memories.json": "[]" }) }, /another zip file/],
    ["nothing to read", { "photo.jpg": "x" }, /has no memories/],
    ["a gzip bomb", { "memories.jsonl.gz": gzipSync("x".repeat(2_000_000)) }, /100 times/],
    ["a .mem folder with a colon in a path", { ...memFiles(""), "items/a:b": "" }, /with a colon/],
  ])("%s -> refused", (_title, files, why) => {
    expect(() => readImport(zipOf(files))).toThrow(why);
  });
});

describe("a format that was chosen", () => {
  test("in place of the recognized one -> read", () => {
    expect(contentsOf("[2026] - Likes tea", "markdown")).toEqual(["Likes tea"]);
    expect(contentsOf('{"memories":[{"content":"Sings"}]}', "openmemory")).toEqual(["Sings"]);
    expect(contentsOf('{"results":[]}', "markdown")).toEqual(['{"results":[]}']);
  });

  test.each<[ImportFormat, string]>([
    ["mif", '{"memories":[{"content":"Sings"}]}'],
    ["archive", '{"memories":[{"content":"Sings"}]}'],
    ["mem0", '{"a":[{"memory":"Sings"}]}'],
    ["mem0", "- Sings"],
    ["mem0-plugin", "- Sings"],
    ["dot-mem", "- Sings"],
  ])("%s for %s -> refused", (format, input) => {
    expect(() => readImport(input, { format })).toThrow(ImportRefused);
  });
});

describe("text", () => {
  const letters = Buffer.from("\ufeff- Likes caf\u00e9s");

  test("a byte order mark -> dropped", () => {
    expect(contentsOf(letters)).toEqual(["Likes caf\u00e9s"]);
    expect(readImport(Buffer.from(`\ufeff${JSON.stringify(claude)}`)).format).toBe(
      "claude-memories",
    );
  });

  test("not UTF-8 -> refused", () => {
    for (const bytes of [letters.subarray(0, -2), Buffer.from("\ufeffTea", "utf16le")]) {
      expect(() => readImport(bytes)).toThrow(/not text in UTF-8/);
    }
  });

  test("what PostgreSQL cannot store -> left out and counted", () => {
    const results = [
      { memory: "a\u0000" },
      { memory: "\ud800" },
      { memory: "Sings", categories: ["\u0000"] },
    ];
    expect(readImport(JSON.stringify({ results }))).toMatchObject({
      items: [{ content: "Sings", section: null }],
      leftOut: { unreadable: 2 },
    });
  });
});

describe("bounds", () => {
  const listOf = (count: number) => "- a\n".repeat(count);

  test("5,000 memories -> read; 5,001 -> refused", () => {
    expect(readImport(listOf(5_000)).items).toHaveLength(5_000);
    expect(() => readImport(listOf(5_001))).toThrow(/more than 5,000 memories/);
  });

  test("more than 50,000 entries, however many are left out -> refused", () => {
    const entries = Array.from({ length: 50_001 }, () => ({ content: "a", enabled: false }));
    expect(() => readImport(JSON.stringify(entries))).toThrow(/more than 50,000 entries/);
  });

  test("more than 25 MB -> refused", () => {
    const bytes = Buffer.alloc(25 * 1024 * 1024 + 1, "a");
    expect(() => readImport(bytes)).toThrow(/larger than 25 MB/);
    expect(() => readImport("\u00e9".repeat(14_000_000))).toThrow(/larger than 25 MB/);
    expect(readImport(bytes.subarray(1)).leftOut).toEqual({ "too long": 1 });
  });

  test("more than 500,000 lines -> refused", () => {
    expect(() => readImport("a\n".repeat(500_001))).toThrow(/more than 500,000 lines/);
  });

  test("an entry of more than 1 MB -> left out and counted", () => {
    const results = [{ memory: "Sings" }, { memory: "a".repeat(1_100_000) }];
    expect(readImport(JSON.stringify({ results })).leftOut).toEqual({ unreadable: 1 });
  });
});

describe("JSON", () => {
  test("exactly 20 memories of mem0, or a page of more -> a warning", () => {
    const results = Array.from({ length: 20 }, (_, nth) => ({ memory: `Fact ${nth}` }));
    expect(readImport(JSON.stringify({ results })).warning).toContain("exactly 20");
    const next = "https://api.mem0.test/?page=2";
    expect(readImport(JSON.stringify({ next, results })).warning).toContain("one page");
    expect(readImport(JSON.stringify({ results: results.slice(1) })).warning).toBeUndefined();
  });

  test("__proto__ -> ignored", () => {
    const text =
      '{"__proto__":{"next":"x"},"results":[{"memory":"Sings","__proto__":{"section":"a"}}]}';
    expect(readImport(text)).toEqual({
      format: "mem0",
      items: [{ content: "Sings", date: null, section: null, category: "prof:episodic" }],
      leftOut: {},
    });
  });

  test("10,000 levels, before or in the memories -> refused", () => {
    const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
    for (const text of [deep, `{"results":[{"memory":"a","x":${deep}}]}`]) {
      expect(() => readImport(text)).toThrow(/more than 64 levels/);
    }
  });

  test.each([
    ["[]", /No memories|recognized/],
    ["{}", /recognized/],
    ['["Likes tea"]', /recognized/],
    ['{"memories":[{"content":"x"}]}', /recognized/],
    ['{"mif_version":"3.0","memories":[{"content":"x"}]}', /not MIF/],
    ['{"format":"profile-archive","version":2,"memories":[]}', /another version/],
    ['{"mapping":{}}', /has conversations/],
    ['{"results":[]}', /No memories/],
    ['{"results":[{"memory":"a"}', /damaged/],
    ['{"results":[{"memory":"a"} {}]}', /damaged/],
    ['{"results":[{"memory":"a]}', /damaged/],
    ['{"results":[,]}', /damaged/],
    ['{results:[{"memory":"a"}]}', /damaged/],
    ['{"results":[{"memory":"a"}]} x', /damaged/],
  ])("%s -> refused", (text, why) => {
    expect(() => readImport(text)).toThrow(ImportRefused);
    expect(() => readImport(text)).toThrow(why);
  });
});

test("an empty file -> refused in one sentence that says what to do", () => {
  expect(() => readImport("")).toThrow(/^No memories were found, so nothing was kept: [^.]+\.$/);
});

function memFiles(folder: string): Record<string, string> {
  const episodes = '{"id":"e1","details":"Likes tea"}\n';
  const sum = createHash("sha256").update(episodes).digest("hex");
  return {
    [`${folder}manifest.json`]: '{"format":"1.0.0"}',
    [`${folder}CHECKSUMS`]: `${sum}  items/episode.jsonl\n`,
    [`${folder}items/episode.jsonl`]: episodes,
  };
}
