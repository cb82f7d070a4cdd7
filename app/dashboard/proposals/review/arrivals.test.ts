import { expect, test } from "vitest";
import { arranged } from "./arrivals";

function ids(text: string) {
  return [...text].map((id) => ({ id }));
}

const arrange = (shown: string, fresh: string, { held = "", isBusy = false } = {}) => {
  const isHeld = (id: string) => held.includes(id);
  const { next, late } = arranged({ shown: ids(shown), fresh: ids(fresh), isHeld, isBusy });
  return [next, late].map((list) => list.map(({ id }) => id).join("")).join("|");
};

test.each([
  ["new ones come in at their place while nobody works in the list", "abc", "xabc", {}, "xabc|"],
  ["and are held back while somebody does", "abc", "xayc", { isBusy: true }, "abc|xy"],
  [
    "what follows the last one moves nothing, so it comes at once",
    "abc",
    "abcd",
    { isBusy: true },
    "abcd|",
  ],
  ["what is gone leaves while nobody works in the list", "abc", "ac", {}, "ac|"],
  ["and stays while somebody does", "abc", "ac", { isBusy: true }, "abc|"],
  ["what was decided here stays in its place", "abcd", "cdef", { held: "ab" }, "abcdef|"],
  ["also below what has come above it", "abc", "xac", { held: "b" }, "xabc|"],
  [
    "a whole page that was decided stays, and the next one follows",
    "abc",
    "def",
    { held: "abc", isBusy: true },
    "abcdef|",
  ],
  ["the order is that of what is fresh", "abc", "cba", {}, "cba|"],
  ["an empty list takes everything", "", "ab", { isBusy: true }, "ab|"],
])("%s", (_title, shown, fresh, how, result) => {
  expect(arrange(shown, fresh, how)).toBe(result);
});
