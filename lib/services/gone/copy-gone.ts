import path from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { type Db, inTransaction, type Tx } from "@/lib/engine/db";
import type { Env } from "@/lib/engine/env";
import { Prisma } from "@/lib/engine/prisma-client/client";
import {
  type ChainEnd,
  fileTarget,
  type GoneRow,
  type GoneTarget,
  linesOf,
  rowsAtOnce,
} from "./gone-file";

export const copyJob = "copy-gone";
// Two that copied at once would both go on from the same line.
const copyingLock = 7_105_316_003n;

/** Stores an object that is on the disk when this resolves; the same name again replaces it. */
export type PutObject = (name: string, bytes: Uint8Array) => Promise<void>;

/** Returns where "Gone" is copied to: beside the database folder, and beside the backups. */
export function goneTargets(
  { DATA_FOLDER, BACKUP_URL }: Pick<Env, "DATA_FOLDER"> & { BACKUP_URL?: string },
  { db, put }: { db?: Db; put?: PutObject } = {},
): GoneTarget[] {
  const own = fileTarget(path.resolve(DATA_FOLDER, "gone.jsonl"));
  if (BACKUP_URL === undefined) return [own];
  if (db && put) return [own, objectTarget(db, { name: BACKUP_URL, put })];
  const isAddress = /^[a-z][a-z0-9+.-]+:/i.test(BACKUP_URL);
  if (isAddress && !BACKUP_URL.startsWith("file:")) return [own];
  const folder = isAddress ? fileURLToPath(BACKUP_URL) : path.resolve(BACKUP_URL);
  return [own, fileTarget(path.join(folder, "gone.jsonl"))];
}

const ObjectEnd = z.object({
  row: z.string(),
  from: z.string().nullable(),
  upto: z.string(),
  hash: z.string(),
  count: z.int(),
});
const Progress = z.record(z.string(), ObjectEnd);

/** Where nothing can be appended: an object for each batch, numbered from 1. */
export function objectTarget(db: Db, { name, put }: { name: string; put: PutObject }): GoneTarget {
  const find = async () => {
    const job = await db.job.findUnique({ where: { name: copyJob }, select: { progress: true } });
    return Progress.parse(job?.progress ?? {})[name];
  };
  return {
    name,
    findEnd: async () => (await find()) ?? null,
    async append(text, end) {
      const count = ((await find())?.count ?? 0) + 1;
      await put(`gone/${String(count).padStart(9, "0")}.jsonl`, Buffer.from(text));
      const progress = JSON.stringify({ [name]: { ...end, count } });
      await db.$executeRaw`INSERT INTO "Job" (name, "startedAt", progress) VALUES (${copyJob}, now(), ${progress}::jsonb)
        ON CONFLICT (name) DO UPDATE SET progress = coalesce("Job".progress, '{}') || excluded.progress`;
    },
  };
}

/** Job: appends new rows of "Gone" to each target, up to a batch, and returns how many at most. */
export async function copyGone(db: Db, targets: readonly GoneTarget[]): Promise<number> {
  const { copied, failures } = await inTransaction(db, async (tx) => {
    const failures: unknown[] = [];
    let copied = 0;
    const locks = await tx.$queryRaw<
      { held: boolean }[]
    >`SELECT pg_try_advisory_xact_lock(${copyingLock}::bigint) AS held`;
    for (const target of locks[0]?.held ? targets : []) {
      try {
        copied = Math.max(copied, await copyTo(tx, target));
      } catch (error) {
        // The other targets go on; this one does from where it is.
        failures.push(new Error(`${target.name} lacks lines of "Gone"`, { cause: error }));
      }
    }
    return { copied, failures };
  });
  if (failures.length > 0) throw new AggregateError(failures, 'Not every copy of "Gone" is whole.');
  return copied;
}

async function copyTo(tx: Tx, target: GoneTarget): Promise<number> {
  const before = await target.findEnd();
  const rows = await nextRows(tx, before);
  if (rows.length === 0) return 0;
  const { text, end } = linesOf(rows, before);
  await target.append(text, end);
  return rows.length;
}

// By snapshots, not by ids: a transaction may end after one that began later. The oldest that runs holds nothing up.
async function nextRows(tx: Tx, end: ChainEnd | null): Promise<GoneRow[]> {
  if (end === null || !(await isReached(tx, end))) return rowsSince(tx, null);
  const rest = await restOfPass(tx, end);
  return rest.length > 0 ? rest : rowsSince(tx, end.upto);
}

// Else it is of the cluster before a restore. Then all is copied once more: a line may be double, but not missing.
async function isReached(tx: Tx, { upto }: ChainEnd): Promise<boolean> {
  const [found] = await tx.$queryRaw<{ reached: boolean }[]>`
    SELECT pg_snapshot_xmax(${upto}::text::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot()) AS reached`;
  return found?.reached ?? false;
}

/** What the pass that was cut after this row has left. */
function restOfPass(tx: Tx, { row, from, upto }: ChainEnd): Promise<GoneRow[]> {
  const [xid, id] = row.split("/");
  return tx.$queryRaw<GoneRow[]>`
    SELECT ${columns}, ${from}::text AS "from", ${upto}::text AS upto FROM "Gone"
    WHERE xid >= ${xid}::text::xid8 AND (xid, id) > (${xid}::text::xid8, ${id}::text::bigint)
      AND pg_visible_in_snapshot(xid, ${upto}::text::pg_snapshot)
      AND pg_visible_in_snapshot(xid, ${from}::text::pg_snapshot) IS NOT TRUE
    ORDER BY xid, id LIMIT ${rowsAtOnce}`;
}

/** The first rows that the snapshot had not seen. A number that this cluster has not reached yet waits until it is. */
function rowsSince(tx: Tx, snapshot: string | null): Promise<GoneRow[]> {
  return tx.$queryRaw<GoneRow[]>`
    SELECT ${columns}, ${snapshot}::text AS "from", pg_current_snapshot()::text AS upto FROM "Gone"
    WHERE xid >= coalesce(pg_snapshot_xmin(${snapshot}::text::pg_snapshot), '0')
      AND pg_visible_in_snapshot(xid, ${snapshot}::text::pg_snapshot) IS NOT TRUE
      AND pg_visible_in_snapshot(xid, pg_current_snapshot())
    ORDER BY xid, id LIMIT ${rowsAtOnce}`;
}

const columns = Prisma.sql`at, kind, key, xid || '/' || id AS row`;
