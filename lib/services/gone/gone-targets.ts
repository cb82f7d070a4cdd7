import path from "node:path";
import { Readable } from "node:stream";
import { z } from "zod";
import { targetOf } from "@/lib/engine/backup/target/open-target";
import { parsePlace } from "@/lib/engine/backup/target/place";
import type { BackupTarget } from "@/lib/engine/backup/target/target";
import type { Db } from "@/lib/engine/db";
import type { Env } from "@/lib/engine/env";
import { copyJob } from "./copy-gone";
import { fileTarget, type GoneCopy, type GoneTarget, readGoneLines } from "./gone-file";

/** Where "Gone" is copied to: the folder of the data, and the place of the backups. */
export function goneTargets(env: Env, db: Db): GoneTarget[] {
  const { files, storage } = placesOf(env);
  return [...files.map(fileTarget), ...(storage === null ? [] : [objectTarget(db, storage)])];
}

/** The same, to read where no database is left. */
export function goneCopies(env: Env): GoneCopy[] {
  const { files, storage } = placesOf(env);
  return [...files.map(fileTarget), ...(storage === null ? [] : [objectCopy(storage)])];
}

function placesOf(env: Env) {
  const { DATA_FOLDER, BACKUP_URL } = env;
  const file = "gone.jsonl";
  const own = path.resolve(DATA_FOLDER, file);
  const place = BACKUP_URL === undefined ? null : parsePlace(BACKUP_URL);
  if (place === null) return { files: [own], storage: null };
  if (place.kind === "folder")
    return { files: [own, path.join(place.folder, file)], storage: null };
  return { files: [own], storage: targetOf(env) };
}

const ObjectEnd = z.object({
  row: z.string(),
  from: z.string().nullable(),
  upto: z.string(),
  hash: z.string(),
  count: z.int(),
});
const Progress = z.record(z.string(), ObjectEnd);

const objectName = /^gone\/(\d{9})\.jsonl$/;
const nameOf = (count: number) => `gone/${String(count).padStart(9, "0")}.jsonl`;

// The last object that is known to be there. A look at each run would cost too much: one that was deleted is missed at
// the next start.
const lastSeen = new WeakMap<Db, string>();

type ObjectStorage = Pick<BackupTarget, "description" | "write" | "list" | "read">;

function objectCopy(storage: ObjectStorage): GoneCopy {
  return {
    name: `${storage.description}gone/`,
    async read(since) {
      const names = await listNames(storage);
      return names.length === 0
        ? null
        : readGoneLines(Readable.from(pieces(storage, names)), since);
    },
  };
}

/** Where nothing can be appended: an object for each batch, numbered from 1. */
export function objectTarget(db: Db, storage: ObjectStorage): GoneTarget {
  const copy = objectCopy(storage);
  const find = async () => {
    const job = await db.job.findUnique({ where: { name: copyJob }, select: { progress: true } });
    return Progress.parse(job?.progress ?? {})[storage.description];
  };
  return {
    ...copy,
    async findEnd() {
      const end = await find();
      if (end === undefined) return null;
      const name = nameOf(end.count);
      if (lastSeen.get(db) !== name && !(await listNames(storage)).includes(name)) return null;
      lastSeen.set(db, name);
      return end;
    },
    async append(text, end) {
      // Others are there already where the database does not know of them, as after a loss of it.
      const count = ((await find())?.count ?? (await lastNumber(storage))) + 1;
      await storage.write(nameOf(count), text);
      lastSeen.set(db, nameOf(count));
      const progress = JSON.stringify({ [storage.description]: { ...end, count } });
      await db.$executeRaw`INSERT INTO "Job" (name, "startedAt", progress) VALUES (${copyJob}, now(), ${progress}::jsonb)
        ON CONFLICT (name) DO UPDATE SET progress = coalesce("Job".progress, '{}') || excluded.progress`;
    },
  };
}

async function listNames(storage: ObjectStorage): Promise<string[]> {
  const names = (await storage.list()).map(({ name }) => name);
  return names.filter((name) => objectName.test(name)).sort();
}

async function lastNumber(storage: ObjectStorage): Promise<number> {
  const last = (await listNames(storage)).at(-1) ?? "";
  return Number(objectName.exec(last)?.[1] ?? 0);
}

async function* pieces(storage: ObjectStorage, names: readonly string[]): AsyncIterable<Buffer> {
  for (const name of names) yield* await storage.read(name);
}
