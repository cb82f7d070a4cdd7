import { expect, test } from "vitest";
import { everyAgent } from "@/lib/rules/facts";
import { wordsToType } from "./words-to-type";

type Rule = Parameters<typeof wordsToType>[0];

const bare: Rule = {
  agentPattern: everyAgent,
  allow: ["prof:*"],
  deny: [],
  permissions: ["read"],
};
const sensitive = ["prof:health", "prof:financial", "prof:relationships", "prof:identity"];

test.each<[Partial<Rule>, string | null]>([
  [{}, "everything, sensitive too"],
  [{ permissions: ["read", "propose"] }, "everything, sensitive too"],
  [{ deny: sensitive }, "everything"],
  [{ origin: "template" }, "everything"],
  [{ origin: "template", allow: ["prof:*", "prof:health"] }, "everything, sensitive too"],
  [{ deny: ["prof:health.teeth"] }, "everything, sensitive too"],
  [{ agentPattern: "did:prof:agent:acme:*" }, "everything, sensitive too"],
  [{ allow: ["prof:health", "prof:interests"] }, "health"],
  [{ allow: ["prof:health.*", "prof:financial.pay"] }, "health and money matters"],
  [{ allow: ["prof:health"], deny: ["prof:health"] }, null],
  [{ allow: ["prof:interests"] }, null],
  [{ permissions: ["propose"] }, null],
  [{ agentPattern: "did:prof:agent:local:iris" }, null],
  [{ allow: [], deny: ["prof:*"] }, null],
])("%o is saved after typing %s", (rule, words) => {
  expect(wordsToType({ ...bare, ...rule })).toBe(words);
});
