import { expect, it } from "vitest";
import { type Decision, decide, type Outcome, type Rule } from "../decide";
import type { Facts, Permission } from "../facts";

export type Case = [
  title: string,
  facts: Facts,
  question: `${Permission} prof:${string}`,
  expected: `${Outcome} by ${Rule}`,
];

/** One row of the access matrix is one test. */
export function table(cases: Case[]): void {
  it.each(cases)("%s", (_title, facts, question, expected) => {
    const { outcome, reason } = ask(facts, question);
    expect(`${outcome} by ${reason.rule}`).toBe(expected);
  });
}

export function ask(facts: Facts, question: Case[2]): Decision {
  const [permission, category = ""] = question.split(" ");
  return decide(facts, { permission: permission === "read" ? "read" : "propose", category });
}
