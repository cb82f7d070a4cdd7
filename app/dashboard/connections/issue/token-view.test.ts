import { expect, test } from "vitest";
import { readsWords, widensWords } from "./token-view";

test.each([
  [0, "Nothing of what is there now."],
  [1, "1 item, and what is added while the token lives."],
  [2_857, "2,857 items, and what is added while the token lives."],
])("a token that reads %d items", (count, words) => {
  expect(readsWords(count)).toBe(words);
});

test.each([
  [0, 0, null],
  [0, 94, "The agent's own key reads all of this already."],
  [94, 94, "The agent's own key cannot read this yet. While the token lives, it can."],
  [4, 94, "The agent's own key cannot read 4 of these yet. While the token lives, it can."],
])("%d new of %d items", (added, seen, words) => {
  expect(widensWords(added, seen)).toBe(words);
});
