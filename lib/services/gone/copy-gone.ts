import { type Db, inTransaction, type Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { type ChainEnd, type GoneRow, type GoneTarget, linesOf, rowsAtOnce } from "./gone-file";

export const copyJob = "copy-gone";
// Two that copied at once would both go on from the same line.
const copyingLock = 7_105_316_003n;

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
