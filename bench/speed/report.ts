import { readFile, writeFile } from "node:fs/promises";
import type { Memory, Pair } from "./beyond";
import type { Growth } from "./grown/grow";
import { planBreaches, sweepBreaches, sweepLines } from "./grown/report";
import { quantile } from "./quantile";
import type { Figures, Turn } from "./rounds";
import type { Plan } from "./testing/plans";
import type { Sweep } from "./testing/sweeps";

export interface Beside {
  pair: Pair | null;
  memory: Memory | null;
  growth: Growth[];
  bigProfile: Turn | null;
  plans: Plan[];
  sweeps: Sweep[];
}

const head = [
  "| Endpoint | requests/s | of the floor | target | p50 ms | p99 ms | CPU ms server + database | RSS MB | floor: requests/s, CPU ms |",
  "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
];

export function table(all: Figures[]): string {
  return [...head, ...all.map(row)].join("\n");
}

function row({ line, ratio, target, gateway, floor }: Figures): string {
  const cells = [
    line,
    gateway.perSecond.toFixed(0),
    ratio.toFixed(2),
    target.toFixed(2),
    gateway.p50Ms.toFixed(1),
    gateway.p99Ms.toFixed(1),
    `${gateway.serverCpuMs.toFixed(2)} + ${gateway.databaseCpuMs.toFixed(2)}`,
    gateway.rssMb.toFixed(0),
    `${floor.perSecond.toFixed(0)}, ${floor.serverCpuMs.toFixed(2)} + ${floor.databaseCpuMs.toFixed(2)}`,
  ];
  return `| ${cells.join(" | ")} |`;
}

export function breachesOf({ line, ratio, target, gateway, floor }: Figures): string[] {
  return [
    ...(ratio < target ? [`${line} reaches ${ratio.toFixed(2)} of the floor, not ${target}`] : []),
    ...[gateway, floor].flatMap(({ failed }) =>
      failed > 0 ? [`${line}: ${failed} requests had another answer`] : [],
    ),
  ];
}

const bounds = {
  startMs: 1_500,
  rssMb: 350,
  slopeMb: 25,
  growth: 0.2,
  bigMs: 50,
};

export function besideBreaches(beside: Beside): string[] {
  const { pair, memory, growth, bigProfile, plans, sweeps } = beside;
  const breaches: string[] = [];
  if (pair !== null && pair.startMs > bounds.startMs) {
    breaches.push(`a start takes ${pair.startMs.toFixed(0)} ms`);
  }
  if (memory !== null && Math.max(...memory.rssMb) > bounds.rssMb) {
    breaches.push(`it holds ${Math.max(...memory.rssMb).toFixed(0)} MB`);
  }
  if (memory !== null && slope(memory) > bounds.slopeMb) {
    breaches.push(`memory grew by ${slope(memory).toFixed(0)} MB in the second half`);
  }
  for (const { line, rows, alone, among } of growth) {
    if (among < alone * (1 - bounds.growth)) {
      breaches.push(`${line} falls to ${times(among / alone)} with ${rows} rows of others`);
    }
  }
  if (bigProfile !== null && bigProfile.p50Ms > bounds.bigMs) {
    breaches.push(`memories of 100,000 take ${bigProfile.p50Ms.toFixed(0)} ms`);
  }
  return [...breaches, ...planBreaches(plans), ...sweepBreaches(sweeps)];
}

export function besideLines(beside: Beside): string[] {
  const { pair, memory, growth, bigProfile, sweeps } = beside;
  const lines: string[] = [];
  if (pair !== null) {
    lines.push(
      `- A second process on the same database is ready after ${pair.startMs.toFixed(0)} ms; the two together answer ${times(pair.times)} as many requests as one.`,
    );
  }
  if (memory !== null) {
    const held = memory.rssMb.map((mb) => mb.toFixed(0)).join(", ");
    lines.push(`- Memory over ${memory.requests} reads, after each tenth: ${held} MB.`);
  }
  for (const { line, rows, alone, among } of growth) {
    lines.push(
      `- ${line}: ${among.toFixed(0)} requests/s with ${rows} rows of other profiles, ${times(among / alone)} the ${alone.toFixed(0)} without them, measured in turns.`,
    );
  }
  if (bigProfile !== null) {
    lines.push(
      `- The first page of a profile with 100,000 memories: ${bigProfile.p50Ms.toFixed(0)} ms, p99 ${bigProfile.p99Ms.toFixed(0)} ms.`,
    );
  }
  return [...lines, ...sweepLines(sweeps)];
}

// Returns the growth from the first half of the requests to the second. Compares medians, because a heap grows
// and shrinks by a third between two garbage collections.
function slope({ rssMb }: Memory): number {
  const half = Math.ceil(rssMb.length / 2);
  return quantile(rssMb.slice(half), 0.5) - quantile(rssMb.slice(0, half), 0.5);
}

function times(ratio: number): string {
  return `${ratio.toFixed(2)} times`;
}

/** Replaces the text between `<!-- mark -->` and `<!-- /mark -->` in a Markdown file. */
export async function writeMarked(file: string, mark: string, text: string): Promise<void> {
  const marked = new RegExp(`(<!-- ${mark} -->\n)[\\s\\S]*?(<!-- /${mark} -->)`);
  const before = await readFile(file, "utf8");
  if (!marked.test(before)) {
    throw new Error(`${file} must have the lines <!-- ${mark} --> and <!-- /${mark} -->`);
  }
  await writeFile(
    file,
    before.replace(marked, (_, begin, end) => `${begin}${text}\n${end}`),
  );
}
