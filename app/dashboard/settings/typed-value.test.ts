import { expect, test } from "vitest";
import { leavesOf, readLeaf, readTyped, textOf, withLeaves } from "./typed-value";

const values = [
  "green",
  "two\nlines",
  "",
  12,
  1e21,
  true,
  ["metric", "24 h"],
  [],
  [" padded ", "two\nlines"],
  [1, "two"],
  {},
  { diet: "vegetarian", spicy: true, never: [{ what: "nuts", since: null }, { what: "eggs" }] },
  null,
];

test.each(values)("a form that is sent as it was shown keeps %j", (value) => {
  const read = leavesOf(value).map(({ leaf }) =>
    readLeaf(leaf, textOf(leaf).replace(/\n/g, "\r\n")),
  );
  expect(
    withLeaves(
      value,
      read.map((one) => ("value" in one ? one.value : one.fault)),
    ),
  ).toEqual(value);
});

test("each leaf is named by the way to it, and takes its own place", () => {
  const value = { diet: "vegan", never: [{ what: "nuts" }, { what: "eggs" }] };
  expect(leavesOf(value).map(({ path }) => path.join(" "))).toEqual([
    "diet",
    "never 1 what",
    "never 2 what",
  ]);
  expect(withLeaves(value, ["none", "milk", "soy"])).toEqual({
    diet: "none",
    never: [{ what: "milk" }, { what: "soy" }],
  });
});

test.each([
  ["text", "12", "12"],
  ["number", " -0.5 ", -0.5],
  ["yes-no", "yes", true],
  ["yes-no", "no", false],
  ["list", "metric\r\n\r\n 24 h ", ["metric", "24 h"]],
  ["fields", "diet: vegan\r\nat: 7:30", { diet: "vegan", at: "7:30" }],
] as const)("%s %j is read", (kind, text, value) => {
  expect(readTyped({ kind, text })).toEqual({ value });
});

test.each([
  ["text", "", "Enter a text."],
  ["number", "twelve", "Enter a number"],
  ["number", "0x10", "Enter a number"],
  ["number", "1e999", "Enter a number"],
  ["fields", "diet", "Enter a name, a colon"],
  ["fields", "diet:", "Enter a name, a colon"],
  ["fields", "", "Enter a name, a colon"],
] as const)("%s %j is refused in words", (kind, text, words) => {
  expect(readTyped({ kind, text })).toEqual({ fault: expect.stringContaining(words) });
});

test("a number that was made a word is refused, and a text may become empty", () => {
  expect(readLeaf(12, "twelve")).toEqual({ fault: expect.stringContaining("Enter a number") });
  expect(readLeaf("green", "")).toEqual({ value: "" });
  expect(readLeaf(null, "green")).toEqual({ value: "green" });
});
