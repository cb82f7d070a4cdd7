import { expect, test } from "vitest";
import type { Decision } from "@/lib/rules/decide";
import type { AgentCondition } from "@/lib/services/agents/known/list-known";
import { hiddenCounts, lensWords } from "./lens-view";

test.each<[string, number, AgentCondition]>([
  ["412 items, in the very words that it gets.", 412, "active"],
  ["Nothing at all: everything that you keep here is hidden from it.", 0, "active"],
  ["Nothing now. It would get 412 items, in these very words.", 412, "suspended"],
  ["Nothing now.", 0, "pending"],
])("says “%s”", (words, seen, state) => {
  expect(lensWords(seen, state)).toBe(words);
});

test("counts every memory and value that is hidden, whatever hides them together", () => {
  const decision: Decision = {
    outcome: "denied",
    reason: { rule: "deny", policyId: null, receiptId: null },
  };
  const part = { category: "prof:health", decision };
  expect(
    hiddenCounts([
      { ...part, kind: "memory", names: [], items: 12 },
      { ...part, kind: "common", names: ["health.allergies", "health.diet"], items: 2 },
      { ...part, kind: "named_value", names: ["allergies"], items: 1 },
    ]),
  ).toEqual({ memories: 12, values: 3 });
});
