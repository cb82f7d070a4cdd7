import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import type { Visitor } from "./browse";
import type { Watched } from "./options";

export interface Asked {
  visitor: Visitor;
  address: string;
  loads: number;
  watched: number;
  process: Watched | null;
}

export interface PageFigures {
  address: string;
  status: number;
  medianMs: number;
  p95Ms: number;
  htmlKb: number;
  scriptsKb: number;
  /** How much more memory the process has after the watched loads. */
  growthMb: number | null;
}

const warmUps = 10;
const atOnce = 4;

export async function measurePage(asked: Asked): Promise<PageFigures> {
  const { visitor, address, loads, watched } = asked;
  const first = await visitor.load(address);
  for (let turn = 0; turn < warmUps; turn++) await visitor.load(address);
  const timed = [first];
  for (let turn = 0; turn < loads; turn++) timed.push(await visitor.load(address));
  const times = timed.slice(1).map(({ ms }) => ms);
  return {
    address,
    // One that is refused in between was not measured.
    status: timed.find(({ status }) => status !== 200)?.status ?? first.status,
    medianMs: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
    htmlKb: Buffer.byteLength(first.html) / 1_024,
    scriptsKb: await scriptsOf(visitor, first.html),
    growthMb: await growth(asked.process, () => loadMany(visitor, address, watched)),
  };
}

/** The smallest one that at least this share of them does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

async function loadMany(visitor: Visitor, address: string, count: number): Promise<void> {
  let left = count;
  const line = async () => {
    while (left-- > 0) await visitor.load(address);
  };
  await Promise.all(Array.from({ length: atOnce }, line));
}

// What a browser fetches before the page works: scripts in the markup, and those that the data of its
// client components name. Old browsers' polyfills are not for those that have modules.
async function scriptsOf(visitor: Visitor, html: string): Promise<number> {
  const modern = html.replace(/<script[^>]*\bnomodule\b[^>]*>/gi, "");
  const names = [...modern.matchAll(/static\/chunks\/[\w./~()[\]%-]+?\.js/g)].map(([name]) => name);
  let bytes = 0;
  for (const name of new Set(names)) bytes += await gzipped(visitor, `/_next/${name}`);
  return bytes / 1_024;
}

const sizes = new Map<string, number>();

async function gzipped(visitor: Visitor, address: string): Promise<number> {
  const known = sizes.get(address);
  if (known !== undefined) return known;
  const { status, html } = await visitor.load(address);
  if (status !== 200) throw new Error(`${address} answers ${status}`);
  const size = gzipSync(html).length;
  sizes.set(address, size);
  return size;
}

// What was freed goes back a little later.
const settleMs = 3_000;

async function growth(watched: Watched | null, work: () => Promise<void>): Promise<number | null> {
  if (watched === null) return null;
  // Once before: what a first crowd leaves behind for good is no growth.
  await work();
  const before = await settled(watched);
  await work();
  return (await settled(watched)) - before;
}

async function settled({ pid, settles }: Watched): Promise<number> {
  if (settles) process.kill(pid, "SIGUSR2");
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
}
