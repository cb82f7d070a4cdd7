import type { Outcome } from "./check";

const marks = { passed: "✓", failed: "✗", "not run": "–" } as const;

export function line({ outcome, id, sentence, cites, because }: Outcome): string {
  const reason = because === undefined ? "" : `\n    ${outcome}: ${because}`;
  return `${marks[outcome]} ${id} ${sentence} — ${cites}${reason}`;
}

export function summary(outcomes: readonly Outcome[]): string {
  const { passed, failed, notRun } = countOf(outcomes);
  const rest = notRun > 0 ? `, ${notRun} not run` : "";
  return `${passed} passed, ${failed} failed${rest}`;
}

export function document(url: string, outcomes: readonly Outcome[]): string {
  return JSON.stringify({ url, ...countOf(outcomes), checks: outcomes }, null, 2);
}

export function countOf(outcomes: readonly Outcome[]) {
  const count = (outcome: Outcome["outcome"]) =>
    outcomes.filter((one) => one.outcome === outcome).length;
  return { passed: count("passed"), failed: count("failed"), notRun: count("not run") };
}
