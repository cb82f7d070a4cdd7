import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { hasCode } from "./embedded-postgres/refusal";

const sources = ["app", "lib", "public"];
const settings = [
  "next.config.js",
  "instrumentation.ts",
  "postcss.config.mjs",
  "proxy.ts",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
];
const stampFile = ".next/gateway-sources.sha256";
// Beside the folder, as a build empties that.
const turnFile = ".next-building";

/** Runs `next build` if there is no build of these sources; of several starts at once, one does. */
export async function buildIfStale(
  root: string,
  say: (line: string) => void,
  build = nextBuild,
): Promise<void> {
  // An image has pages without sources.
  if (!existsSync(path.join(root, "app"))) return;
  const files = [...settings, ...(await filesOf(root))];
  const touched = hashOf(files, (file) => stateOf(root, file));
  const file = path.join(root, stampFile);
  const built = async () => (await readFile(file, "utf8").catch(() => "")).split("\n");
  if ((await built())[1] === touched) return;
  const content = hashOf(files, (source) => readFileSync(path.join(root, source)));
  if ((await built())[0] === content) return;
  await inTurn(path.join(root, turnFile), async () => {
    const [before] = await built();
    if (before === content) return;
    say(before === "" ? "Building the pages (once) …" : "The sources changed; building again …");
    await build(root);
    await writeFile(file, `${content}\n${touched}`);
  });
}

const beatMs = 1_000;
const deadMs = 15_000;
const lookMs = 250;

// The process that has the turn shows it by a file with its name for it, touched again and again. Numbers of processes
// would not do: in a container the next start has the same one.
async function inTurn(file: string, work: () => Promise<void>): Promise<void> {
  const turn = randomUUID();
  while (!(await taken(file, turn))) {
    const holder = await holderOf(file);
    const touched = await stat(file).catch(() => null);
    const isDead = touched !== null && Date.now() - touched.mtimeMs > deadMs;
    if (isDead) await endTurn(file, holder);
    await delay(lookMs);
  }
  const beat = setInterval(async () => {
    const now = new Date();
    // Another start has taken over; Next.js allows only one of two builds.
    if ((await holderOf(file)) !== turn) clearInterval(beat);
    else await utimes(file, now, now).catch(() => clearInterval(beat));
  }, beatMs);
  try {
    await work();
  } finally {
    clearInterval(beat);
    await endTurn(file, turn);
  }
}

async function taken(file: string, turn: string): Promise<boolean> {
  try {
    await writeFile(file, turn, { flag: "wx" });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

function holderOf(file: string): Promise<string | null> {
  return readFile(file, "utf8").catch(() => null);
}

async function endTurn(file: string, turn: string | null): Promise<void> {
  if ((await holderOf(file)) === turn) await rm(file, { force: true });
}

async function nextBuild(root: string): Promise<void> {
  const next = path.join(root, "node_modules/next/dist/bin/next");
  const child = spawn(process.execPath, [next, "build"], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => said.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => said.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code !== 0) throw new Error(`next build failed:\n${Buffer.concat(said).toString()}`);
}

// Reads hundreds of small files synchronously: five times as fast as by promises.
function hashOf(files: string[], contentOf: (file: string) => string | Buffer): string {
  const hash = createHash("sha256");
  for (const file of files) hash.update(file).update("\0").update(contentOf(file)).update("\0");
  return hash.digest("hex");
}

// Untouched files need not be read.
function stateOf(root: string, file: string): string {
  const { mtimeMs, ctimeMs, size } = statSync(path.join(root, file));
  return `${mtimeMs} ${ctimeMs} ${size}`;
}

async function filesOf(root: string): Promise<string[]> {
  const listed = await Promise.all(
    sources.map(async (folder) => {
      const entries = await readdir(path.join(root, folder), {
        withFileTypes: true,
        recursive: true,
      });
      const files = entries.filter((entry) => entry.isFile() && !entry.name.includes(".test."));
      return files.map((file) => path.relative(root, path.join(file.parentPath, file.name)));
    }),
  );
  return listed.flat().sort();
}
