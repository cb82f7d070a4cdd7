import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open, readdir, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { startsAnew } from "./checks/stand-ins";
import { clock } from "./ledger";

const PATH = "/usr/local/bin:/usr/bin:/bin";
const startMsMax = 180_000;
const stopMsMax = 20_000;
// Of the C library. With one for each thread it is left to chance how much they keep of what nothing holds.
const oneArena = { MALLOC_ARENA_MAX: "1" };
// As often as a supervisor would try, where a machine is too busy to let it reach its database in time.
const startsMax = 3;

/** One of the gateways: started as everybody starts it, at the same address each time. */
export interface App {
  port: number;
  logFile: string;
  /** Resolves when it listens. */
  start(): Promise<void>;
  /** As the kernel does it to somebody out of memory. */
  kill(): Promise<void>;
  /** As an update does. */
  stop(): Promise<void>;
  /** For good: a start that is under way starts nothing. */
  close(): Promise<void>;
  /** Null where it ended by itself, which `lost` tells. */
  weight(): Promise<Weight | null>;
  /** Has it give back what nothing holds. */
  settle(): void;
  /** How often it ended although nobody asked it to. */
  lost(): number;
  /** When it was down because it was asked to be. */
  downs(): readonly Span[];
  /** How often a start ended without listening, and was repeated. */
  failedStarts(): number;
}

/** By the run's clock. */
export interface Span {
  at: number;
  until: number;
}

export interface Weight {
  upSeconds: number;
  rssMb: number;
  descriptors: number;
}

interface AppSettings {
  name: string;
  folder: string;
  env: Record<string, string>;
}

export async function prepareApp({ name, folder, env }: AppSettings): Promise<App> {
  const port = await freePort();
  const logFile = path.join(folder, `${name}.log`);
  let child: ChildProcess | undefined;
  let expected = true;
  let lost = 0;
  let closed = false;
  let failedStarts = 0;
  let startedAt = 0;
  const downs: Span[] = [];
  const pid = () => child?.pid ?? 0;

  async function start(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await startOnce();
      } catch (error) {
        await end("SIGKILL");
        if (attempt === startsMax) throw error;
        failedStarts++;
      }
    }
  }

  async function startOnce(): Promise<void> {
    const log = await open(logFile, "a");
    if (closed) return log.close();
    await log.write(`{"time":"${new Date().toISOString()}","msg":"${startsAnew}"}\n`);
    const flags = ["--import", path.resolve("tests/faults/settle.mjs")];
    const started = spawn(process.execPath, [...flags, "server/run.mjs", "server/main.ts"], {
      env: { NODE_ENV: "production", PATH, PORT: `${port}`, ...oneArena, ...env },
      stdio: ["ignore", "pipe", log.fd],
    });
    child = started;
    expected = true;
    await log.close();
    await listening(started);
    startedAt = performance.now();
    const down = downs.at(-1);
    if (down?.until === Number.POSITIVE_INFINITY) down.until = clock();
    expected = false;
    started.once("exit", () => {
      if (!expected) lost++;
    });
  }

  function bringDown(signal: NodeJS.Signals): Promise<void> {
    downs.push({ at: clock(), until: Number.POSITIVE_INFINITY });
    return end(signal);
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    expected = true;
    if (child === undefined || hasEnded(child)) return;
    const ended = once(child, "exit");
    child.kill(signal);
    const deadline = setTimeout(() => child?.kill("SIGKILL"), stopMsMax);
    await ended;
    clearTimeout(deadline);
  }

  return {
    port,
    logFile,
    start,
    kill: () => bringDown("SIGKILL"),
    stop: () => bringDown("SIGTERM"),
    close() {
      closed = true;
      return end("SIGKILL");
    },
    async weight() {
      if (child === undefined || hasEnded(child)) return null;
      const upSeconds = Math.round((performance.now() - startedAt) / 1_000);
      return { upSeconds, ...(await weigh(pid())) };
    },
    settle: () => void child?.kill("SIGUSR2"),
    lost: () => lost,
    downs: () => downs,
    failedStarts: () => failedStarts,
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    const fail = (why: string) => reject(new Error(`${why}\n${said}`));
    const timer = setTimeout(() => fail("a gateway did not start in time"), startMsMax);
    child.once("exit", (code) => {
      clearTimeout(timer);
      fail(`a gateway ended with ${code}`);
    });
    child.stdout?.on("data", (chunk: Buffer) => {
      if (said.length < 10_000) said += chunk.toString();
      if (!/^ {2}Address +\S+$/m.test(said)) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

async function weigh(pid: number): Promise<Omit<Weight, "upSeconds">> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const { length } = await readdir(`/proc/${pid}/fd`);
  return { rssMb: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024, descriptors: length };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
