import { type Db, inTransaction } from "@/lib/engine/db";
import type { Prisma } from "@/lib/engine/prisma-client/client";
import type { Ctx } from "../context";
import type { GoneEntry } from "./gone-file";
import { type Step, steps } from "./gone-steps";

// What was erased, revoked or narrowed after a backup was made is so again once it was restored.

/** An entry of the first kind allows again what an earlier one of the second took away. */
const cancelled: Readonly<Record<string, string>> = {
  "account.restored": "account.suspended",
  "admin.restored": "admin.removed",
  "agent.restored": "agent.suspended",
  "memory.restored": "memory.deleted",
  "profile.restored": "profile.suspended",
  "receipt.restored": "receipt.revoked",
  "token.restored": "token.revoked",
};

/** Nobody registers these DIDs again, whether or not the backup has them. Their keys are what "RetiredDid" stores. */
const retiring = ["profile.erased", "agent.deleted"];

/** Returns the rows of "Gone" from then on, in the order in which they were written. */
export async function readGone(db: Db, since: Date): Promise<GoneEntry[]> {
  const select = { at: true, kind: true, key: true };
  return db.gone.findMany({ where: { at: { gte: since } }, orderBy: { id: "asc" }, select });
}

/**
 * Applies entries to a restored database that serves nobody yet. Entries that the database has in "Gone" itself are
 * done; the others are stored there at the end. Returns how many rows each kind has changed.
 */
export async function applyGone(
  given: Ctx,
  entries: readonly GoneEntry[],
): Promise<Record<string, number>> {
  const ctx: Ctx = { ...given, caller: { kind: "gateway" } };
  const fresh = await withoutKnown(ctx.db, entries);
  const keys = keysByKind(fresh);
  const counts: Record<string, number> = {};
  for (const [kind, step] of Object.entries(steps)) {
    const wanted = [...(keys.get(kind)?.values() ?? [])];
    if (wanted.length > 0) counts[kind] = await applyStep(ctx, step, wanted);
  }
  await store(ctx.db, fresh);
  return counts;
}

const nameOf = ({ at, kind, key }: GoneEntry) => `${at.getTime()} ${kind} ${hexOf(key)}`;
const hexOf = (key: Uint8Array) => Buffer.from(key).toString("hex");

/** Returns the entries that "Gone" lacks, once each: sources overlap, and a file may have a line twice. */
export async function withoutKnown(db: Db, entries: readonly GoneEntry[]): Promise<GoneEntry[]> {
  const [first, ...others] = entries.toSorted((a, b) => a.at.getTime() - b.at.getTime());
  if (first === undefined) return [];
  const unique = new Map([first, ...others].map((entry) => [nameOf(entry), entry]));
  for (const known of await readGone(db, first.at)) unique.delete(nameOf(known));
  return [...unique.values()];
}

type Keys = Map<string, GoneEntry["key"]>;

/** Takes entries in the order of their time. */
function keysByKind(entries: readonly GoneEntry[]): Map<string, Keys> {
  const kinds = new Map<string, Keys>();
  for (const { kind, key } of entries) {
    const former = cancelled[kind];
    if (former !== undefined) {
      kinds.get(former)?.delete(hexOf(key));
      continue;
    }
    if (!Object.hasOwn(steps, kind)) {
      throw new Error(
        `The list of what is gone has the kind ${kind}. Restore with the version that wrote it.`,
      );
    }
    const keys: Keys = kinds.get(kind) ?? new Map();
    kinds.set(kind, keys.set(hexOf(key), key));
  }
  return kinds;
}

const changedAtOnce = 1_000;

async function applyStep(ctx: Ctx, { all, apply }: Step, keys: GoneEntry["key"][]) {
  const ids = await matching(ctx.db, all, keys);
  let count = 0;
  for (const some of chunks(ids, changedAtOnce)) count += await apply(ctx, some);
  return count;
}

const readAtOnce = 50_000;

/** Returns those ids whose hashes are among the keys; reads all ids, some at once. */
async function matching(db: Db, all: Prisma.Sql, keys: GoneEntry["key"][]): Promise<string[]> {
  const found: string[] = [];
  let after: string | null = "";
  while (after !== null) {
    const rows: { last: string | null; ids: string[] }[] = await db.$queryRaw`
      SELECT max(id) AS last, coalesce(array_agg(id) FILTER (
        WHERE sha256(convert_to(id, 'UTF8')) IN (SELECT unnest(${keys}::bytea[]))), '{}') AS ids
      FROM (SELECT id FROM (${all}) a WHERE id > ${after} ORDER BY id LIMIT ${readAtOnce}) page`;
    const [{ last, ids } = { last: null, ids: [] }] = rows;
    found.push(...ids);
    after = last;
  }
  return found;
}

const storedAtOnce = 10_000;

async function store(db: Db, entries: readonly GoneEntry[]): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const some of chunks(entries, storedAtOnce)) {
      const retired = some.filter(({ kind }) => retiring.includes(kind));
      const data = retired.map(({ at, key }) => ({ didHash: key, retiredAt: at }));
      await tx.retiredDid.createMany({ data, skipDuplicates: true });
      const [ats, kinds] = [some.map(({ at }) => at), some.map(({ kind }) => kind)];
      await tx.$executeRaw`INSERT INTO "Gone" (at, kind, key)
        SELECT * FROM unnest(${ats}::timestamptz[], ${kinds}::text[], ${some.map(({ key }) => key)}::bytea[])`;
    }
  });
}

function chunks<T>(list: readonly T[], size: number): T[][] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, n) => list.slice(n * size, (n + 1) * size));
}
