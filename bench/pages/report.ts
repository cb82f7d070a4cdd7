import type { PageFigures } from "./measure";

export const bounds = { medianMs: 300, growthMb: 25, scriptsKb: 200 } as const;

/** Each bound that a page breaks, in words. */
export function breachesOf(page: PageFigures): string[] {
  const { address, status, medianMs, growthMb, scriptsKb } = page;
  const breaches = [];
  if (status !== 200) breaches.push(`answers ${status}`);
  if (medianMs >= bounds.medianMs) breaches.push(`takes ${medianMs.toFixed(0)} ms`);
  if (scriptsKb >= bounds.scriptsKb) breaches.push(`loads ${scriptsKb.toFixed(0)} KB of scripts`);
  if (growthMb !== null && growthMb >= bounds.growthMb) {
    breaches.push(`leaves ${growthMb.toFixed(1)} MB behind`);
  }
  return breaches.map((breach) => `${address} ${breach}`);
}

const columns = ["median ms", "p95 ms", "html KB", "js KB gz", "RSS MB", "page"];

export function heading(): string {
  return columns.map((name) => name.padStart(10)).join("");
}

export function line(page: PageFigures): string {
  const { medianMs, p95Ms, htmlKb, scriptsKb, growthMb, status, address } = page;
  const figures = [medianMs, p95Ms, htmlKb, scriptsKb, growthMb];
  const cells = figures.map((figure) => (figure === null ? "?" : figure.toFixed(1)).padStart(10));
  return `${cells.join("")}  ${address}${status === 200 ? "" : `  (${status})`}`;
}

/** For a program that keeps the figures. */
export function json(pages: readonly PageFigures[], breaches: readonly string[]): string {
  const rounded = (_name: string, value: unknown) =>
    typeof value === "number" ? Math.round(value * 10) / 10 : value;
  return JSON.stringify({ bounds, pages, breaches }, rounded);
}
