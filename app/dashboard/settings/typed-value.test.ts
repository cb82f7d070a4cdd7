import { expect, test } from "vitest";
import { readTyped, typedOf } from "./typed-value";

test.each([
  "green",
  "two\nlines",
  12,
  -0.5,
  1e21,
  true,
  false,
  ["metric", "24 h"],
  [],
  [" padded "],
  [1, "two"],
  { nested: { deep: [null] } },
  null,
])("what is typed from %j means the same", (value) => {
  expect(readTyped(typedOf(value))).toEqual({ value });
});

test.each([
  ["text", "", "Enter a text."],
  ["number", "twelve", "Enter a number"],
  ["number", "0x10", "Enter a number"],
  ["number", "1e999", "Enter a number"],
  ["yes-no", "maybe", "yes or no"],
  ["json", "{", "Line 1"],
  ["json", '{"a":1,\n"a":2}', "Line 2"],
] as const)("%s %j is refused in words", (kind, text, words) => {
  expect(readTyped({ kind, text })).toEqual({ fault: expect.stringContaining(words) });
});
