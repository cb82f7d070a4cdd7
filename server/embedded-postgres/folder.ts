import { chmod, lchown, mkdir, readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Launcher, Owner } from "./launcher";
import { hasCode, StartRefused } from "./refusal";

export type Folder = {
  path: string;
  /** The version of the database inside; undefined if there is none. */
  majorVersion: string | undefined;
  owner: Owner | undefined;
};

/** Returns what is in the folder, its owner and version; creates a missing parent. */
export async function inspectFolder(dataFolder: string): Promise<Folder> {
  const wanted = resolve(dataFolder);
  await mkdir(dirname(wanted), { recursive: true, mode: 0o700 });
  const parent = await realpath(dirname(wanted));
  const path = await realpath(wanted).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return join(parent, basename(wanted));
    throw error;
  });
  const found = await stat(path).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  });
  if (!found) return { path, majorVersion: undefined, owner: undefined };
  const owner = { uid: found.uid, gid: found.gid };
  const us = process.getuid?.();
  if (us !== undefined && us !== 0 && us !== owner.uid) {
    throw new StartRefused(
      `The data folder ${path} belongs to another user (uid ${owner.uid}); start as that user, or choose another folder.`,
    );
  }
  const entries = await readdir(path);
  if (entries.length === 0) return { path, majorVersion: undefined, owner };
  if (!entries.includes("PG_VERSION")) {
    throw new StartRefused(
      `The data folder ${path} holds files but no database; choose another folder.`,
    );
  }
  const majorVersion = (await readFile(join(path, "PG_VERSION"), "utf8")).trim();
  return { path, majorVersion, owner };
}

/** Gives an existing folder to the user that PostgreSQL runs as, with the permissions it insists on. */
export async function claimFolder({ path, owner }: Folder, runner: Launcher): Promise<void> {
  if (runner.filesOf && owner?.uid !== runner.filesOf.uid) await give(path, runner.filesOf);
  await chmod(path, 0o700);
}

/** Lets PostgreSQL's user pass through the parent, without access to what is inside. */
export async function openParent(path: string, { filesOf }: Launcher): Promise<boolean> {
  const parent = dirname(path);
  const { uid, mode } = await stat(parent);
  if (!filesOf || filesOf.uid === uid || (mode & 0o001) !== 0) return false;
  await chmod(parent, (mode & 0o7777) | 0o001);
  return true;
}

/** The folder itself comes last, so that an interrupted change of owner is begun again. */
export async function give(path: string, owner: Owner): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) await give(inside, owner);
    else await lchown(inside, owner.uid, owner.gid);
  }
  await lchown(path, owner.uid, owner.gid);
}
