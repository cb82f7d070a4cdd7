import type { Plan } from "../testing/plans";
import type { Sweep } from "../testing/sweeps";

const rowsMax = 1_000;
const transactionMsMax = 100;

export function plansTable(plans: readonly Plan[]): string {
  const head = [
    "| Endpoint | Statement | ms | Indexes | Read whole, or over 100 rows at once |",
    "|---|---|--:|---|---|",
  ];
  return [...head, ...plans.map(row)].join("\n");
}

function row({ endpoint, statement, ms, indexes, readMuch }: Plan): string {
  const much = Object.entries(readMuch).map(([table, rows]) => `${table} (${rows})`);
  const cells = [endpoint, `\`${statement}\``, ms.toFixed(2), indexes.join(", "), much.join(", ")];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

export function planBreaches(plans: readonly Plan[]): string[] {
  return plans.flatMap(({ endpoint, statement, readMuch }) =>
    Object.entries(readMuch)
      .filter(([, rows]) => rows > rowsMax)
      .map(([table, rows]) => `${endpoint}, ${statement}: reads ${rows} rows of ${table}`),
  );
}

export function sweepLines(sweeps: readonly Sweep[]): string[] {
  return sweeps.map(
    ({ job, turns, transactionMs }) =>
      `- ${job}: ${turns} turns, its longest transaction ${transactionMs.toFixed(0)} ms.`,
  );
}

export function sweepBreaches(sweeps: readonly Sweep[]): string[] {
  return sweeps
    .filter(({ transactionMs }) => transactionMs > transactionMsMax)
    .map(({ job, transactionMs }) => `${job} holds locks for ${transactionMs.toFixed(0)} ms`);
}
