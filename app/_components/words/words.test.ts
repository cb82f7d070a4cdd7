import { expect, test } from "vitest";
import { isSensitive } from "@/lib/protocol/scope";
import { categoryTitle, categoryTyped, categoryWords } from "./category";
import { confidenceWords } from "./confidence";
import { fittingCount, list } from "./list";
import { legalBasisWord, purposeWord, retentionWord } from "./purpose";
import { byDay, durationWords, exactTime, relativeTime } from "./time";
import { valueName } from "./value-name";

test.each([
  ["prof:*", "everything"],
  ["prof:preferences", "preferences"],
  ["prof:preferences.travel", "preferences › travel"],
  ["prof:financial.*", "money matters"],
  ["prof:board_games.go", "board games › go"],
  ["prof:Health", "prof:Health"],
  ["prof:constructor", "constructor"],
])("%s is called %s", (scope, words) => {
  expect(categoryWords(scope)).toBe(words);
});

test.each([
  ["yearsOfExperience", "Years of experience"],
  ["shoe_size", "Shoe size"],
  ["homeURL", "Home URL"],
  ["ISBNNumber", "ISBN number"],
  ["24h", "24h"],
  ["__", "__"],
])("the value %s is called %s", (name, words) => {
  expect(valueName(name)).toBe(words);
});

test.each([
  ["hobbies", "prof:hobbies"],
  ["  Hobbies › Bee keeping ", "prof:hobbies.bee_keeping"],
  ["hobbies > bees", "prof:hobbies.bees"],
  ["Café culture", "prof:cafe_culture"],
  ["Money matters › rent", "prof:financial.rent"],
  ["prof:Board.Games", "prof:Board.Games"],
  ["шахматы", "prof:шахматы"],
])("%j is typed for %s", (typed, category) => {
  expect(categoryTyped(typed)).toBe(category);
});

test("a title begins with a capital", () => {
  expect(categoryTitle("prof:episodic")).toBe("Episodes");
});

test.each([
  ["prof:health", true],
  ["prof:health.teeth", true],
  ["prof:*", true],
  ["prof:interests", false],
  ["prof:healthy", false],
])("%s is sensitive: %s", (scope, expected) => {
  expect(isSensitive(scope)).toBe(expected);
});

test("known words of a purpose are explained, others are shown as sent and marked", () => {
  expect(purposeWord("recommendation")).toMatchObject({ recognised: true });
  expect(legalBasisWord("consent")).toMatchObject({ text: "Your consent" });
  expect(retentionWord("24h")).toMatchObject({ text: "For 24 hours" });
  expect(purposeWord("world_domination")).toEqual({
    text: "world_domination",
    note: null,
    recognised: false,
  });
  expect(purposeWord("constructor")).toMatchObject({ recognised: false });
});

test.each([
  [0.95, "Very sure"],
  [0.8, "Fairly sure"],
  [0.5, "Somewhat sure"],
  [0, "Unsure"],
])("%d is %s", (confidence, words) => {
  expect(confidenceWords(confidence)).toBe(words);
});

const now = new Date("2026-03-01T12:00:00Z");

test.each([
  [2, "just now"],
  [20, "in a moment"],
  [-20, "just now"],
  [-40, "1 minute ago"],
  [-59 * 60, "59 minutes ago"],
  [-2 * 3_600, "2 hours ago"],
  [6 * 86_400, "in 6 days"],
  [-29 * 86_400, "29 days ago"],
  [30 * 86_400, "in 30 days"],
  [-70 * 86_400, "2 months ago"],
  [-800 * 86_400, "2 years ago"],
])("%d seconds from now is %s", (seconds, words) => {
  expect(relativeTime(new Date(now.getTime() + seconds * 1_000), now)).toBe(words);
});

test("the exact time is in one zone, and says which", () => {
  expect(exactTime(now)).toBe("1 March 2026 at 12:00 UTC");
});

test.each([
  [[], "nothing"],
  [["a"], "a"],
  [["a", "b", "c"], "a, b and c"],
  [Array.from({ length: 12 }, () => "preferences"), Array(11).fill("preferences").join(", ")],
  [["x".repeat(400), "b", "c"], `${"x".repeat(400)} and 2 more`],
  [Array(2_000).fill("x".repeat(100)), `${"x".repeat(100)}, ${"x".repeat(100)} and 1,998 more`],
])("%j is listed as far as it fits, and the rest is counted", (words, text) => {
  expect(list(words)).toMatch(text);
});

test.each([
  [[], 0],
  [[9], 1],
  [[1, 2, 1], 2],
  [[1, 1, 1], 3],
])("%j: the first %i fit in three, and one always", (sizes, count) => {
  expect(fittingCount(sizes, { of: (size) => size, max: 3 })).toBe(count);
});

test("things stand under the day that it was for the reader", () => {
  const now = new Date("2026-03-01T12:00:00Z");
  const times = ["2026-03-01T01:00:00Z", "2026-02-28T22:00:00Z", "2026-02-26T09:00:00Z"];
  const under = (zone: string) =>
    byDay(times, { at: (text) => new Date(text), now, zone }).map(({ heading, things }) => [
      heading,
      things.length,
    ]);
  expect(under("UTC")).toEqual([
    ["Today", 1],
    ["Yesterday", 1],
    ["Thursday, 26 February 2026", 1],
  ]);
  expect(under("Asia/Tokyo")).toEqual([
    ["Today", 2],
    ["Thursday, 26 February 2026", 1],
  ]);
});

test.each([
  [0.4, "0 ms"],
  [340, "340 ms"],
  [2_540, "2.5 s"],
  [90_000, "1.5 min"],
  [12_300_000, "3.4 h"],
])("%s ms last %s", (ms, text) => {
  expect(durationWords(ms)).toBe(text);
});
