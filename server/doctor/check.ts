/** What a check found: fine, of no concern here or worth knowing, or a problem with what to do. */
export interface Finding {
  state: "ok" | "note" | "problem";
  text: string;
}

export interface Line extends Finding {
  name: string;
}

export interface Check {
  name: string;
  /** What it throws is a problem, too. */
  run: () => Promise<Finding>;
  msMax?: number;
}

export const ok = (text: string): Finding => ({ state: "ok", text });
export const note = (text: string): Finding => ({ state: "note", text });
export const problem = (text: string): Finding => ({ state: "problem", text });

const msMaxUsual = 5_000;

/** Runs checks one after the other, each for as long as its deadline. */
export async function runChecks(
  checks: readonly Check[],
  explain: (error: unknown) => string,
): Promise<Line[]> {
  const lines: Line[] = [];
  for (const { name, run, msMax = msMaxUsual } of checks) {
    const late = problem(`No answer within ${msMax / 1_000} s.`);
    const found = run().catch((error: unknown) => problem(explain(error)));
    lines.push({ name, ...(await within(found, msMax, late)) });
  }
  return lines;
}

function within(found: Promise<Finding>, msMax: number, late: Finding): Promise<Finding> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(late), msMax);
    found.then(resolve).finally(() => clearTimeout(timer));
  });
}
