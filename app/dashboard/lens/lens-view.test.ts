import { expect, test } from "vitest";
import type { AgentCondition } from "@/lib/services/agents/known/list-known";
import { lensWords } from "./lens-view";

test.each<[string, number, AgentCondition]>([
  ["412 items, in the very words that it gets.", 412, "active"],
  ["Nothing at all: everything that you keep here is hidden from it.", 0, "active"],
  ["Nothing now. It would get 412 items, in these very words.", 412, "suspended"],
  ["Nothing now.", 0, "pending"],
])("says “%s”", (words, seen, state) => {
  expect(lensWords(seen, state)).toBe(words);
});
