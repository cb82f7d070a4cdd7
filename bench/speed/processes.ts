import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Sent } from "./children/sender";

export const PATH = "/usr/local/bin:/usr/bin:/bin";
const startMsMax = 180_000;

export interface Listening {
  url: URL;
  pid: number;
  /** From the spawn to the line that says where it listens. */
  startMs: number;
  stop(): Promise<void>;
}

/** Nothing refused for being many: what is measured is the work, not the limits. */
export const unlimited = Object.fromEntries(
  ["PROFILE", "ACCESS", "PROPOSE", "REVIEW", "MEMORIES", "PROPOSALS"].map((name) => [
    `LIMIT_${name}`,
    "100000000",
  ]),
);

export async function startGateway(
  settings: { DATA_FOLDER: string } & Record<string, string>,
  flags: string[] = [],
) {
  const env = {
    ...unlimited,
    PEER_LIMIT: "1000000",
    MAX_CONNECTIONS_PER_PEER: "100000",
    PORT: "0",
    ...settings,
  };
  // Its log goes where one goes that is kept.
  const log = await open(`${settings.DATA_FOLDER}/gateway.log`, "a");
  return listening([...flags, "server/run.mjs", "server/main.ts"], { env, stderr: log.fd }).finally(
    () => log.close(),
  );
}

export async function startFloor(databaseUrl: string): Promise<Listening> {
  const args = ["server/run.mjs", "bench/speed/children/floor.ts", databaseUrl];
  return listening(args, { env: {}, stderr: "inherit" });
}

interface Start {
  env: Record<string, string>;
  stderr: number | "inherit";
}

async function listening(args: string[], { env, stderr }: Start): Promise<Listening> {
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    env: { NODE_ENV: "production", PATH, ...env },
    stdio: ["ignore", "pipe", stderr],
  });
  const url = await addressSaidBy(child);
  return { url, pid: child.pid ?? 0, startMs: performance.now() - began, stop: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

function addressSaidBy(child: ChildProcess): Promise<URL> {
  return new Promise((resolve, reject) => {
    let said = "";
    const fail = (why: string) => reject(new Error(`${why}\n${said}`));
    const timer = setTimeout(() => fail("it did not start in time"), startMsMax);
    child.once("exit", (code) => fail(`it ended with ${code}`));
    child.stdout?.on("data", (chunk: Buffer) => {
      if (said.length < 10_000) said += chunk.toString();
      const address = /^ {2}Address +(\S+)$/m.exec(said)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(new URL(address));
    });
  });
}

export async function temporaryFolder() {
  const folder = await mkdtemp(path.join(tmpdir(), "gateway-speed-"));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

export interface Database {
  url: string;
  /** As who may load a library into its sessions. */
  superuserUrl: string;
  pid: number;
}

// As CONTRIBUTING.md says for a look into the embedded database.
export async function databaseIn(folder: string): Promise<Database> {
  const secret = await readFile(`${folder}/postgres/gateway.password`, "utf8");
  const lines = (await readFile(`${folder}/postgres/postmaster.pid`, "utf8")).split("\n");
  const [superusers = "", password = ""] = secret.split("\n");
  const [pid, , , port] = lines;
  const place = `127.0.0.1:${port}/gateway`;
  return {
    url: `postgresql://gateway:${password}@${place}`,
    superuserUrl: `postgresql://postgres:${superusers}@${place}`,
    pid: Number(pid),
  };
}

/** In a process of its own, so that who measures takes nothing from who is measured. */
export async function send(
  folder: string,
  { url, requests, connections, seconds, perSecond }: SendOrder,
): Promise<Sent> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, "requests");
  await writeFile(file, requests);
  const args = ["server/run.mjs", "bench/speed/children/sender.ts", "127.0.0.1", url.port];
  args.push(String(connections), String(seconds), file);
  if (perSecond !== undefined) args.push(String(perSecond));
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`the load ended with ${code}`);
  return JSON.parse(said);
}

export interface SendOrder {
  url: URL;
  requests: Buffer;
  connections: number;
  seconds: number;
  perSecond?: number;
}

const ticksPerSecond = 100;

/** Seconds of CPU that a process has used so far. */
export async function cpuOf(pid: number): Promise<number> {
  const { user, system } = await statOf(pid);
  return (user + system) / ticksPerSecond;
}

/** That of PostgreSQL: its first process, those that live, and those that have ended. */
export async function cpuOfFamily(pid: number): Promise<number> {
  const own = await statOf(pid);
  let ticks = own.user + own.system + own.endedUser + own.endedSystem;
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await statOf(Number(name)).catch(() => null);
    if (stat?.parent === pid) ticks += stat.user + stat.system;
  }
  return ticks / ticksPerSecond;
}

async function statOf(pid: number) {
  const text = await readFile(`/proc/${pid}/stat`, "utf8");
  // Behind the name, which may have spaces in it.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const at = (field: number) => Number(fields[field - 3]);
  return { parent: at(4), user: at(14), system: at(15), endedUser: at(16), endedSystem: at(17) };
}

export async function rssMbOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
}
