import { expect, test } from "vitest";
import { Collector } from "./item";
import { readLines } from "./lines";

function read(text: string) {
  const collector = new Collector();
  readLines(Buffer.from(text), collector);
  return collector.contents;
}

const contentsOf = (text: string) => read(text).items.map(({ content }) => content);

test.each<[string, string, string[]]>([
  [
    "no marks -> paragraphs",
    "Likes tea.\n\nSpeaks Dutch\nand German.",
    ["Likes tea.", "Speaks Dutch\nand German."],
  ],
  [
    "indented lines -> part of the item above",
    "* Has goats\n  and a dog\n• Sings",
    ["Has goats\nand a dog", "Sings"],
  ],
  ["headings -> no items", "# About\n**Work**\n**Life:**", []],
  ["a fence -> only what is in it", "Here:\n```\n- Likes tea\n```\n- That is all", ["Likes tea"]],
  [
    "any line ending -> a line",
    "- Likes tea\r\n- Speaks Dutch\r- Has goats",
    ["Likes tea", "Speaks Dutch", "Has goats"],
  ],
  [
    "a year without a separator -> part of the text",
    "- 2026 was a good year",
    ["2026 was a good year"],
  ],
  [
    "a link or a box to tick -> part of the text",
    "- [tea](https://tea.test)\n- [ ] Buy tea",
    ["[tea](https://tea.test)", "[ ] Buy tea"],
  ],
])("%s", (_title, text, contents) => {
  expect(contentsOf(text)).toEqual(contents);
});

test.each([
  ["[2026-01-15] - Likes tea", { text: "2026-01-15", precision: "day" }],
  ["2026-02 \u2014 Likes tea", { text: "2026-02", precision: "month" }],
  ["1. [March 2025]: Likes tea", { text: "2025-03", precision: "month" }],
  ["[2026] Likes tea", { text: "2026", precision: "year" }],
  ["[2999] - Likes tea", { text: "2999", precision: "none" }],
  ["[unbekannt] - Likes tea", { text: "unbekannt", precision: "none" }],
  ["[n/a] - Likes tea", null],
])("%s -> the text with its date", (line, date) => {
  expect(read(line).items).toMatchObject([{ content: "Likes tea", date }]);
});

test("headings -> sections of what follows", () => {
  const { items } = read("- Reads\n## Work\n- Bakes\n**Home**:\n- Has goats\n**Life:**\n- Sings");
  expect(items.map(({ section }) => section)).toEqual([null, "Work", "Home", "Life"]);
});

test("10,000 characters -> an item; more, or none -> left out and counted", () => {
  expect(contentsOf(`- ${"😀".repeat(10_000)}`)).toHaveLength(1);
  expect(read(`- ${"a".repeat(10_001)}`).leftOut).toEqual({ "too long": 1 });
  expect(read(`- a\n${"  b\n".repeat(100_000)}- [2026] - \n`).leftOut).toEqual({
    "too long": 1,
    empty: 1,
  });
});
