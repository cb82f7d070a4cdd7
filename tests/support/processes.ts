import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { afterAll } from "vitest";

// Programs of ours, run as a newcomer runs them.

export interface Program {
  /** What it has said so far. */
  output(): string;
  /** Resolves with the first match; rejects when the program ends without one. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  ended: Promise<number | null>;
}

/** `node` with these arguments, ended with the test file at the latest. */
export function run(args: string[], env: Record<string, string>, cwd = "."): Program {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { NODE_ENV: "production", ...environmentOf(env) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return programOf(child, (signal) => child.kill(signal));
}

/** Commands in a terminal of their own: a signal reaches all that runs in it. */
export function runCommands(text: string, env: Record<string, string>, cwd: string): Program {
  const child = spawn("sh", ["-ec", text], {
    cwd,
    env: environmentOf(env) as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  return programOf(child, (signal) => {
    if (child.exitCode === null && child.signalCode === null)
      process.kill(-Number(child.pid), signal);
  });
}

type Output = ChildProcessByStdio<null, Readable, Readable>;
type Kill = (signal: NodeJS.Signals) => void;

function programOf(child: Output, kill: Kill): Program {
  let text = "";
  const ended = once(child, "close").then(([code]) => code as number | null);
  const output = () => text;
  const streams = [child.stdout, child.stderr];
  for (const stream of streams) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  }
  async function says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(text);
      if (found !== null) return found;
      const waiting = new AbortController();
      const more = Promise.race(streams.map((stream) => once(stream, "data", waiting)));
      const code = await Promise.race([more.then(() => "more" as const), ended]);
      waiting.abort();
      if (code !== "more" && !pattern.test(text)) throw new Error(`ended with ${code}:\n${text}`);
    }
  }
  return { output, says, ended, stop: (signal) => stop(ended, kill, signal) };
}

// Nothing of the environment that the tests run in, so that a start is everybody's start.
function environmentOf(env: Record<string, string>): Omit<NodeJS.ProcessEnv, "NODE_ENV"> {
  return { PATH: "/usr/local/bin:/usr/bin:/bin", ...env };
}

const graceMsMax = 20_000;

async function stop(
  ended: Program["ended"],
  kill: Kill,
  signal: NodeJS.Signals = "SIGTERM",
): Promise<number | null> {
  const deadline = setTimeout(() => kill("SIGKILL"), graceMsMax);
  kill(signal);
  const code = await ended;
  clearTimeout(deadline);
  return code;
}

export function startGateway(env: Record<string, string>, ...flags: string[]): Program {
  const folder = mkdtempSync(path.join(tmpdir(), "gateway-data-"));
  // All clients of a test are one peer.
  const defaults = {
    PORT: "0",
    BACKUP_AT: "off",
    MAX_CONNECTIONS_PER_PEER: "100000",
    DATA_FOLDER: folder,
  };
  const program = run(["server/run.mjs", "server/main.ts", ...flags], { ...defaults, ...env });
  afterAll(async () => {
    await program.stop();
    rmSync(folder, { recursive: true });
  });
  return program;
}

export async function addressOf(gateway: Program): Promise<string> {
  const [, address = ""] = await gateway.says(/^ {2}Address +(\S+)$/m);
  return address;
}
