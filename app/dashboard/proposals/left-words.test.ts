import { expect, test } from "vitest";
import type { Left } from "@/lib/services/proposals/deciding/review-many";
import { leftWords } from "./left-words";

test.each<[Left[], string | null]>([
  [[], null],
  [["not_waiting"], "1 does not wait any more."],
  [["not_waiting", "not_waiting"], "2 do not wait any more."],
  [["unknown"], "1 is not in this profile any more."],
  [["sensitive", "sensitive"], "2 are sensitive: decide them alone."],
  [["kept"], "1 says what you keep already: reject it, or approve it alone."],
  [["no_room"], "1 needs a category, and this profile has as many as it can."],
  [
    ["no_room", "sensitive", "no_room"],
    "2 need a category, and this profile has as many as it can; 1 is sensitive and takes a decision of its own.",
  ],
])("what was left of a group is said with its own reason: %j", (left, words) => {
  expect(leftWords(left)).toBe(words);
});
