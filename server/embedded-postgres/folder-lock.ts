import { execFile } from "node:child_process";
import { readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { Log } from "./lines";
import { hasCode, StartRefused } from "./refusal";

/** Written on PostgreSQL's command line, to identify its gateway. */
export const LAUNCHER_SETTING = "gateway.launcher";

type Holder = { pid: number; kind: "ours" | "orphan" | "foreign" | "unrelated" };
type Process = { parent: number; words: string; folder?: string };

const FAST_STOP_MS_MAX = 10_000;
const IMMEDIATE_STOP_MS_MAX = 8_000;

/**
 * Makes sure that nothing runs on the folder: refuses if a gateway or somebody else does, and stops what a dead
 * gateway left. Returns the lock file that only a reused pid keeps alive, if any.
 */
export async function freeFolder(path: string, log: Log): Promise<string | undefined> {
  const holder = await findHolder(path);
  if (!holder) return undefined;
  const { pid, kind } = holder;
  if (kind === "unrelated") return lockFile(path);
  if (kind === "orphan") {
    log("warn", `stopping the PostgreSQL that a dead gateway left behind (process ${pid})`);
    await stopOrphan(path, pid);
    return undefined;
  }
  const whose = kind === "ours" ? "another gateway" : "a PostgreSQL started by other means";
  throw new StartRefused(
    `The data folder ${path} is in use by ${whose} (process ${pid}); stop that one first, or choose another folder.`,
  );
}

export function isAlive(pid: number): boolean {
  try {
    return signal(pid, 0);
  } catch (error) {
    if (hasCode(error, "EPERM")) return true;
    throw error;
  }
}

/** Returns whether there was a process to signal. */
function signal(pid: number, what: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, what);
  } catch (error) {
    if (hasCode(error, "ESRCH")) return false;
    throw error;
  }
}

function lockFile(path: string): string {
  return join(path, "postmaster.pid");
}

/** Returns the live process that the folder's lock file names. */
export async function findHolder(path: string): Promise<Holder | undefined> {
  const pid = await readPid(path);
  if (!pid || !isAlive(pid)) return undefined;
  const found = await readProcess(pid);
  const isOnFolder = found?.folder ? found.folder === path : found?.words.includes(` ${path} `);
  if (!found?.words.includes("postgres") || !isOnFolder) return { pid, kind: "unrelated" };
  const launcher = new RegExp(`${LAUNCHER_SETTING}=(\\d+)`).exec(found.words)?.[1];
  if (!launcher) return { pid, kind: "foreign" };
  // A process changes its parent only when that one dies.
  return { pid, kind: Number(launcher) === found.parent ? "ours" : "orphan" };
}

async function readPid(path: string): Promise<number | undefined> {
  try {
    // A negative number is a single-user server.
    return Math.abs(Number.parseInt(await readFile(lockFile(path), "utf8"), 10)) || undefined;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

async function readProcess(pid: number): Promise<Process | undefined> {
  try {
    return process.platform === "linux" ? await readProc(pid) : await askPs(pid);
  } catch (error) {
    // It has just ended (then ps says 1), or is hidden from us and so not ours.
    if (hasCode(error, "ENOENT", "ESRCH", "EACCES", "1")) return undefined;
    throw error;
  }
}

async function readProc(pid: number): Promise<Process> {
  const words = (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ");
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  // PostgreSQL works inside its data folder, whatever its command line says.
  const folder = await readlink(`/proc/${pid}/cwd`);
  return { parent: Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]), words, folder };
}

async function askPs(pid: number): Promise<Process> {
  const { stdout } = await promisify(execFile)("ps", ["-ww", "-o", "ppid=,args=", "-p", `${pid}`]);
  return { parent: Number.parseInt(stdout, 10), words: stdout.replaceAll("\n", " ") };
}

async function stopOrphan(path: string, pid: number): Promise<void> {
  for (const { how, msMax } of [
    { how: "SIGINT", msMax: FAST_STOP_MS_MAX },
    { how: "SIGQUIT", msMax: IMMEDIATE_STOP_MS_MAX },
  ] as const) {
    signal(pid, how);
    const deadline = Date.now() + msMax;
    while (Date.now() < deadline) {
      const holder = await findHolder(path);
      if (holder?.pid !== pid || holder.kind !== "orphan") return;
      await delay(20);
    }
  }
  throw new StartRefused(
    `The PostgreSQL that a dead gateway left on ${path} (process ${pid}) does not stop; end it and start again.`,
  );
}
