import type { ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { LAUNCHER_SETTING } from "./folder-lock";
import { type Launcher, LOCKED_EXIT_CODE, launch } from "./launcher";
import { type Log, levelOf, readLines } from "./lines";
import { hasCode } from "./refusal";

export type Exit = { code: number | null; signal: NodeJS.Signals | null; wasRequested: boolean };

export type Postmaster = {
  pid: number;
  port: number;
  exited: Promise<Exit>;
  stop(): Promise<void>;
};

export type Attempt = {
  path: string;
  runner: Launcher;
  settings: Record<string, string>;
  environment?: Record<string, string>;
  log: Log;
  staleFile: string | undefined;
};

// Replaying the log after a crash takes as long as max_wal_size allows, on a slow disk too.
const READY_MS_MAX = 120_000;
const READY_POLL_MS = 10;
const FAST_STOP_MS_MAX = 10_000;
const IMMEDIATE_STOP_MS_MAX = 8_000;
const LAST_LINES_MAX = 20;
const LAST_WORDS_MS_MAX = 1_000;

/** Starts PostgreSQL once and waits for connections; throws its output if it fails. */
export async function startPostmaster(attempt: Attempt): Promise<Postmaster> {
  const { path, runner, settings, environment, log, staleFile } = attempt;
  const port = await freePort();
  const fixed = {
    listen_addresses: "127.0.0.1",
    port: `${port}`,
    // Other local users could reach a socket in /tmp, and a deep folder outgrows its path limit.
    unix_socket_directories: "",
    [LAUNCHER_SETTING]: `${process.pid}`,
  };
  const options = Object.entries({ ...settings, ...fixed }).flatMap((pair) => [
    "-c",
    pair.join("="),
  ]);
  const child = launch(runner, {
    program: runner.programs.postgres,
    args: ["-D", path, ...options],
    lock: { file: join(path, "gateway.lock") },
    staleFile,
    environment,
  });
  const supervised = supervise(child, log);
  try {
    await ready(path, supervised);
  } catch (error) {
    await supervised.stop();
    throw error;
  }
  return { ...supervised, port };
}

/** Whether the same start can succeed a moment later: a dying server, or a port taken in between. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof Error &&
    /ELOCKED|postmaster\.pid" already exists|still in use|could not create any TCP/.test(
      error.message,
    )
  );
}

type Supervised = Omit<Postmaster, "port"> & { lastLines: string[]; closed: Promise<unknown> };

function supervise(child: ChildProcess, log: Log): Supervised {
  const lastLines: string[] = [];
  let stopping: Promise<void> | undefined;
  function onLine(line: string): void {
    lastLines.push(line);
    if (lastLines.length > LAST_LINES_MAX) lastLines.shift();
    log(levelOf(line), line);
  }
  if (child.stdout) readLines(child.stdout, onLine);
  if (child.stderr) readLines(child.stderr, onLine);
  const exited = new Promise<Exit>((resolve) => {
    const settle = (code: number | null, signal: NodeJS.Signals | null) =>
      resolve({ code, signal, wasRequested: stopping !== undefined });
    child.once("exit", settle);
    child.once("error", (error) => {
      onLine(error.message);
      if (child.pid === undefined) settle(null, null);
    });
  });
  const closed = new Promise((resolve) => child.once("close", resolve));
  function stop(): Promise<void> {
    stopping ??= stopChild(child, exited);
    return stopping;
  }
  return { pid: child.pid ?? 0, exited, closed, lastLines, stop };
}

async function ready(path: string, { pid, exited, closed, lastLines }: Supervised) {
  let exit: Exit | undefined;
  exited.then((how) => {
    exit = how;
  });
  const deadline = Date.now() + READY_MS_MAX;
  while (!exit) {
    if (await isReady(path, pid)) return;
    if (Date.now() > deadline) {
      throw new Error(`it was not ready after ${READY_MS_MAX / 1_000} seconds`);
    }
    await delay(READY_POLL_MS);
  }
  if (exit.code === LOCKED_EXIT_CODE) throw new Error("ELOCKED");
  // Its last output may arrive after its end, and its children may hold the pipe open.
  await settlesWithin(closed, LAST_WORDS_MS_MAX);
  throw new Error(lastLines.join("\n"));
}

// The file pg_ctl reads: line 1 the pid, line 8 the state. A log line could be hidden by a setting.
async function isReady(path: string, pid: number): Promise<boolean> {
  try {
    const lines = (await readFile(join(path, "postmaster.pid"), "utf8")).split("\n");
    return Number(lines[0]) === pid && lines[7]?.trim() === "ready";
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}

async function stopChild(child: ChildProcess, exited: Promise<Exit>): Promise<void> {
  child.kill("SIGINT");
  if (await settlesWithin(exited, FAST_STOP_MS_MAX)) return;
  child.kill("SIGQUIT");
  if (await settlesWithin(exited, IMMEDIATE_STOP_MS_MAX)) return;
  child.kill("SIGKILL");
  await exited;
}

function settlesWithin(promise: Promise<unknown>, msMax: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), msMax);
    promise.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
