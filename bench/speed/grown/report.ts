import type { Plan } from "../testing/plans";
import type { Sweep } from "../testing/sweeps";

const rowsMax = 1_000;
const transactionMsMax = 100;

export function plansTable(plans: readonly Plan[]): string {
  const head = ["| Endpoint | Statement | ms | Indexes | Whole tables |", "|---|---|--:|---|---|"];
  return [...head, ...plans.map(row)].join("\n");
}

function row({ endpoint, statement, ms, indexes, wholeTables }: Plan): string {
  const whole = Object.entries(wholeTables).map(([table, rows]) => `${table} (${rows})`);
  const cells = [endpoint, `\`${statement}\``, ms.toFixed(2), indexes.join(", "), whole.join(", ")];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

export function planBreaches(plans: readonly Plan[]): string[] {
  return plans.flatMap(({ endpoint, statement, wholeTables }) =>
    Object.entries(wholeTables)
      .filter(([, rows]) => rows > rowsMax)
      .map(([table, rows]) => `${endpoint}, ${statement}: reads all ${rows} rows of ${table}`),
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
