import { execFile } from "node:child_process";
import { promisify } from "node:util";

// The repository that operators clone: first as the version before, then as this one.

export interface Upstream {
  folder: string;
  /** Commits of this repository. */
  before: string;
  now: string;
}

export async function createUpstream(folder: string): Promise<Upstream> {
  // Changes that are not committed yet belong to this version.
  const now = (await git("stash", "create")) || (await git("rev-parse", "HEAD"));
  const before = await versionBefore(now);
  await git("init", "--quiet", "--bare", "--initial-branch=main", folder);
  await publish(folder, before);
  return { folder, before, now };
}

export async function publish(folder: string, commit: string): Promise<void> {
  await git("push", "--quiet", folder, `${commit}:refs/heads/main`);
}

/** Returns the newest commit that has only some of this version's migrations, each as it is now. */
async function versionBefore(now: string): Promise<string> {
  const isShallow = (await git("rev-parse", "--is-shallow-repository")) === "true";
  if (isShallow) throw new Error("The version before is not here: git fetch --unshallow");
  const known = await migrationsOf(now);
  for (const changed of lines(await git("log", "--format=%H", now, "--", migrations))) {
    const before = `${changed}^`;
    const earlier = await migrationsOf(before);
    const isPart = earlier.every((one) => known.includes(one));
    if (isPart && earlier.length < known.length) return git("rev-parse", before);
  }
  throw new Error("No version before this one: fetch the whole history of the repository.");
}

const migrations = "prisma/migrations";

async function migrationsOf(commit: string): Promise<string[]> {
  return lines(await git("ls-tree", "-r", commit, migrations));
}

function lines(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

async function git(...args: string[]): Promise<string> {
  return (await promisify(execFile)("git", args)).stdout.trim();
}
