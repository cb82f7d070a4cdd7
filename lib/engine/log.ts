import { pino } from "pino";
import pretty from "pino-pretty";

// The allow-list of log fields. No body, memory, token, signature, nonce, address or owner DID has a name here.
export interface LogFields {
  requestId?: string;
  endpoint?: string;
  method?: string;
  status?: number;
  code?: string;
  durationMs?: number;
  agentDid?: string;
  engine?: string;
  job?: string;
  count?: number;
  migration?: string;
  signal?: string;
  port?: number;
  error?: unknown;
}

const allowed = [
  "requestId",
  "endpoint",
  "method",
  "status",
  "code",
  "durationMs",
  "agentDid",
  "engine",
  "job",
  "count",
  "migration",
  "signal",
  "port",
] as const satisfies (keyof LogFields)[];

export type LogLevel = "debug" | "info" | "warn" | "error";
export type Log = Record<LogLevel, (message: string, fields?: LogFields) => void>;

export interface LogSettings {
  level: LogLevel | "silent";
  destination?: { write(line: string): void };
}

export function createLog({ level, destination }: LogSettings): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const sink = pino(options, destination ?? standardError());
  const write = (at: LogLevel) => (message: string, fields?: LogFields) =>
    sink[at](fields === undefined ? {} : permit(fields), message);
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

// Standard output is for people; log lines go to standard error. They are written together, a moment later or
// at exit.
function standardError(): { write(line: string): void } {
  return process.stderr.isTTY
    ? pretty({ destination: 2, sync: true })
    : pino.destination({ dest: 2, sync: false, minLength: 4_096, periodicFlush: 100 });
}

/**
 * Keeps the process alive after its output is closed. Without a listener, each failed write is an uncaught
 * exception, which Next.js prints, which fails: a loop that takes a whole core.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

function permit(fields: LogFields): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of allowed) {
    if (fields[name] !== undefined) kept[name] = fields[name];
  }
  if (fields.error !== undefined) kept.error = describeError(fields.error, 0);
  return kept;
}

// Messages of databases and libraries quote values, so only the name, the code and the place of an error are
// kept.
function describeError(error: unknown, depth: number): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    name: error.name,
    code,
    at: frames.slice(0, 12).map((line) => line.trim().slice(3)),
    cause:
      error.cause === undefined || depth >= 3 ? undefined : describeError(error.cause, depth + 1),
  };
}
