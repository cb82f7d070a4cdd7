import { expect, test } from "vitest";
import type { AgentCondition } from "@/lib/services/agents/known/list-known";
import { lensWords } from "./lens-view";

test.each<[string, number, AgentCondition]>([
  ["412 items, in the very words that it gets.", 412, "active"],
  ["Nothing at all: everything that you keep here is hidden from it.", 0, "active"],
  [
    "It gets nothing now: it is suspended. It would get 412 items, in these very words.",
    412,
    "suspended",
  ],
  ["It gets nothing now: it waits for approval.", 0, "pending"],
  ["It gets nothing now: this gateway does not know it.", 0, "unknown"],
])("says “%s”", (words, seen, state) => {
  expect(lensWords(seen, state)).toBe(words);
});
