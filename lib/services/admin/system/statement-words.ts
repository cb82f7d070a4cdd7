import type { SlowStatements } from "./slow-statements";

const deeds: Record<string, string> = {
  ...{ SELECT: "Reads", INSERT: "Adds to", UPDATE: "Changes", DELETE: "Deletes from" },
};
const tablesMax = 3;

/** Says what a statement does: "Reads Memory, Policy". */
export function statementWords(statement: string): string {
  const [, deed = ""] = /\b(SELECT|INSERT|UPDATE|DELETE)\b/i.exec(statement) ?? [];
  // Tables are always quoted here; names of CTEs and aliases are not.
  const named = statement.matchAll(
    /\b(?:FROM|JOIN|INTO|UPDATE) +(?:ONLY +)?(?:"public"\.)?"(\w+)"/gi,
  );
  const tables = [...new Set([...named].map(([, table = ""]) => table))].slice(0, tablesMax);
  const words = deeds[deed.toUpperCase()];
  if (words !== undefined && tables.length > 0) return `${words} ${tables.join(", ")}`;
  const [, called] = /\bFROM +(\w+)\(/i.exec(statement) ?? [];
  return called === undefined ? "Looks after the connection" : `Calls ${called}`;
}

/** The statements by what they do, the slowest on average first. */
export function slowest(statements: SlowStatements["statements"]) {
  const groups = new Map<string, { words: string; calls: number; totalMs: number }>();
  for (const { statement, calls, totalMs } of statements) {
    const words = statementWords(statement);
    const group = groups.get(words) ?? { words, calls: 0, totalMs: 0 };
    group.calls += calls;
    group.totalMs += totalMs;
    groups.set(words, group);
  }
  return [...groups.values()]
    .map((group) => ({ ...group, meanMs: group.totalMs / Math.max(1, group.calls) }))
    .sort((one, other) => other.meanMs - one.meanMs);
}
