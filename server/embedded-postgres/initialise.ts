import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { give } from "./folder";
import { isAlive } from "./folder-lock";
import { type Launcher, run } from "./launcher";
import { hasCode, refusal, StartRefused } from "./refusal";

export const SUPERUSER = "postgres";

export type Passwords = { superuser: string; gateway: string };

const PASSWORD_FILE = "gateway.password";

// A killed initdb may still be writing for a moment.
const REMOVE = { recursive: true, force: true, maxRetries: 10, retryDelay: 20 };

const underWay = new Set<string>();

/**
 * Creates the database beside its place and moves it there when complete, so that a kill leaves nothing half
 * done.
 */
export async function initialise(path: string, runner: Launcher): Promise<void> {
  if (underWay.has(path)) {
    throw new StartRefused(`The data folder ${path} is being made by another start.`);
  }
  underWay.add(path);
  const workshop = `${path}.new-${process.pid}`;
  try {
    await sweep(path);
    await build(workshop, runner);
    await moveIn(join(workshop, "data"), path);
  } catch (error) {
    throw refusal(path, error);
  } finally {
    await rm(workshop, REMOVE);
    underWay.delete(path);
  }
}

/** The passwords live inside the data folder: they and the database cannot come apart. */
export async function readPasswords(path: string): Promise<Passwords> {
  const lines = await readFile(join(path, PASSWORD_FILE), "utf8").catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return "";
    throw error;
  });
  const [superuser, gateway] = lines.split("\n");
  if (superuser && gateway) return { superuser, gateway };
  throw new StartRefused(
    `The data folder ${path} is not one of this gateway, its ${PASSWORD_FILE} is missing; choose another folder.`,
  );
}

async function build(workshop: string, runner: Launcher): Promise<void> {
  const data = join(workshop, "data");
  const password = join(workshop, PASSWORD_FILE);
  await mkdir(workshop, { mode: 0o700 });
  // initdb takes the first line, the superuser's.
  const lines = [newPassword(), newPassword(), ""].join("\n");
  await writeFile(password, lines, { mode: 0o600, flush: true });
  if (runner.filesOf) await give(workshop, runner.filesOf);
  const program = runner.programs.initdb;
  const args = ["-D", data, "-U", SUPERUSER, `--pwfile=${password}`, "--auth=scram-sha-256"];
  args.push("--encoding=UTF8", "--locale=C", "--locale-provider=builtin");
  args.push("--builtin-locale=C.UTF-8", "--no-instructions");
  const { code, output } = await run(runner, { program, args, msMax: 120_000 });
  if (code !== 0) throw new Error(output);
  await rename(password, join(data, PASSWORD_FILE));
  await sync(data);
}

async function moveIn(data: string, path: string): Promise<void> {
  try {
    await rename(data, path);
  } catch (error) {
    // Another start was first: its database is as good, and the lock decides who runs it.
    if (!hasCode(error, "ENOTEMPTY", "EEXIST")) throw error;
  }
  // Without this a power cut could undo the move after rows were acknowledged.
  await sync(dirname(path));
}

/** Removes what killed starts left behind. */
async function sweep(path: string): Promise<void> {
  const prefix = `${basename(path)}.new-`;
  for (const name of await readdir(dirname(path))) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN;
    if (!Number.isInteger(pid) || (pid !== process.pid && isAlive(pid))) continue;
    await rm(join(dirname(path), name), REMOVE);
  }
}

function newPassword(): string {
  return randomBytes(24).toString("base64url");
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
