import type { Readable } from "node:stream";

export type LogLevel = "info" | "warn" | "error";
export type Log = (level: LogLevel, line: string) => void;

const LINE_LENGTH_MAX = 2_000;

/** Hands a stream on line by line; longer lines are cut, so memory stays flat. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = (lines.pop() ?? "").slice(0, LINE_LENGTH_MAX);
    for (const line of lines) onLine(line.slice(0, LINE_LENGTH_MAX));
  });
  stream.once("end", () => {
    if (rest !== "") onLine(rest);
  });
}

// Sessions that a stop, or a swap of databases, ends on purpose.
const endedByUs = /^FATAL: .*(due to administrator command|is not currently accepting connections)/;

export function levelOf(line: string): LogLevel {
  if (endedByUs.test(line)) return "info";
  if (/^(ERROR|FATAL|PANIC):/.test(line)) return "error";
  return line.startsWith("WARNING:") ? "warn" : "info";
}
