import { expect, test } from "vitest";
import { arranged } from "./arrivals";

function ids(text: string) {
  return [...text].map((id) => ({ id }));
}

const arrange = (shown: string, fresh: string, { decided = "", at = "" } = {}) => {
  const known = new Set([...shown, ...decided]);
  const { shown: next, late } = arranged({ shown: ids(shown), fresh: ids(fresh), known, at });
  return `${next.map(({ id }) => id).join("")}|${late}`;
};

test.each([
  ["what comes before or between known cards waits", "abc", "xaybc", {}, "abc|2"],
  ["what follows the last one moves nothing, so it comes at once", "abc", "abcd", {}, "abcd|0"],
  ["what is gone leaves", "abc", "ac", {}, "ac|0"],
  ["the card that is looked at stays in its place", "abc", "ac", { at: "b" }, "abc|0"],
  ["what was decided and undone is back at once", "bc", "abc", { decided: "a" }, "abc|0"],
  ["after a whole page was decided, the next one follows", "", "def", { decided: "abc" }, "def|0"],
  ["an empty list takes everything", "", "ab", {}, "ab|0"],
])("%s", (_title, shown, fresh, how, result) => {
  expect(arrange(shown, fresh, how)).toBe(result);
});
