import type { Tx } from "@/lib/engine/db";
import type { MemoryRevision, Prisma } from "@/lib/engine/prisma-client/client";
import type { RevisionCause } from "@/lib/engine/prisma-client/enums";
import { invalidRequest, notFound, notNow } from "@/lib/protocol/errors";
import type { Category } from "@/lib/protocol/scope";
import { refuseManyCategories } from "../categories";
import { readMemory } from "../claims/read-memory";
import type { Ctx } from "../context";
import { changeProfile } from "../profile-gate";
import { type MemoryState, stateOf } from "./shown";

/** The columns of a memory that a revision keeps. */
export const kept = {
  category: true,
  content: true,
  confidence: true,
  archivedAt: true,
  deletedAt: true,
} as const satisfies Prisma.MemoryRevisionSelect;

export interface Kept extends Pick<MemoryRevision, Exclude<keyof typeof kept, "category">> {
  category: Category;
}

export interface Change {
  memoryId: string;
  /** The `updatedAt` that the change refers to: a later change by somebody else stays. */
  seen?: Date;
  /** In which states it may be; any, unless said. */
  from?: readonly MemoryState[];
  to: Partial<Kept>;
  /** Left out for an edit: it is a move if only the category differs. */
  cause?: RevisionCause;
}

export interface Changed {
  /** The former state; restoring this revision undoes the change. */
  revisionId: string;
  cause: RevisionCause;
  before: Kept;
}

/** How many memories one call changes. */
export const changedAtOnceMax = 100;

/** Changes a memory as its owner, with a revision and one event. Returns null if nothing changes. */
export async function changeMemory(
  ctx: Ctx,
  { did, ...change }: Change & { did: string },
): Promise<Changed | null> {
  return (await changeMemories(ctx, did, [change]))[0] ?? null;
}

/** Changes all of these memories or none of them. Leaves out those that are as they should be already. */
export function changeMemories(
  ctx: Ctx,
  did: string,
  changes: readonly Change[],
): Promise<Changed[]> {
  return changeFound(ctx, did, async () => changes);
}

/** Changes memories that have to be found under the lock first. */
export async function changeFound(
  ctx: Ctx,
  did: string,
  find: (tx: Tx, profileId: number) => Promise<readonly Change[]>,
): Promise<Changed[]> {
  return changeProfile(ctx, { verb: "editMemories", did }, async (open) => {
    const { tx, profile } = open;
    const changes = await find(tx, profile.id);
    const ids = new Set(changes.map(({ memoryId }) => memoryId));
    if (ids.size === 0 || ids.size > changedAtOnceMax || ids.size < changes.length) {
      throw wrongCount();
    }
    const present = await lockMemories(tx, profile.id, [...ids]);
    const writes = changes.flatMap((change) => {
      const write = writeOf(expected(present.get(change.memoryId), change), change, ctx.now);
      return write === null ? [] : [write];
    });
    if (writes.length === 0) return [];
    const revisionIds = await store(tx, { ctx, profileId: profile.id, writes });
    if (writes.some(isNewlyThere)) await refuseManyCategories(tx, { profileId: profile.id });
    await open.recordAll(writes.map(eventOf));
    return writes.map(({ id, cause, before }) => ({
      revisionId: `rev_${revisionIds.get(id)}`,
      cause,
      before,
    }));
  });
}

function wrongCount() {
  const message = `Choose 1 to ${changedAtOnceMax} memories, each once.`;
  return invalidRequest([{ path: "form", message }]);
}

type Memory = Kept & { updatedAt: Date };

/** Locks memories in one order, so that two changes at once never wait for each other. */
async function lockMemories(
  tx: Tx,
  profileId: number,
  ids: readonly string[],
): Promise<Map<string, Memory>> {
  const rows = await tx.$queryRaw<
    (Memory & { id: string })[]
  >`SELECT id, category, content, confidence, "archivedAt", "deletedAt", "updatedAt" FROM "Memory"
     WHERE "profileId" = ${profileId} AND id = ANY (${ids}::text[]) ORDER BY id FOR UPDATE`;
  return new Map(rows.map(({ id, ...memory }) => [id, memory]));
}

/** Returns the memory. Throws if it is not as the change expects. */
function expected(memory: Memory | undefined, { seen, from }: Change): Memory {
  if (memory === undefined) throw notFound("memory");
  const isSeen = seen === undefined || seen.getTime() === memory.updatedAt.getTime();
  const isAllowed = from === undefined || from.includes(stateOf(memory));
  if (isSeen && isAllowed) return memory;
  throw notNow(
    memory.deletedAt !== null
      ? "This memory was deleted after you opened it, so nothing was done. You can restore it from the deleted ones."
      : "This memory was changed after you opened it, so nothing was done and the newer state stays. What you typed is kept here: look at how the memory reads now, then save again.",
  );
}

interface Write {
  id: string;
  cause: RevisionCause;
  before: Kept;
  after: Kept;
  at: Date;
}

/** Returns null if nothing changes. */
function writeOf({ updatedAt, ...before }: Memory, change: Change, now: Date): Write | null {
  const to = Object.entries(change.to).filter(([, value]) => value !== undefined);
  const after: Kept = { ...before, ...Object.fromEntries(to) };
  const names = Object.keys(kept) as (keyof Kept)[];
  if (names.every((name) => isSame(before[name], after[name]))) return null;
  const isMove = before.content === after.content && before.confidence === after.confidence;
  const cause = change.cause ?? (isMove ? "moved" : "edited");
  const at = new Date(Math.max(now.getTime(), updatedAt.getTime() + 1));
  return { id: change.memoryId, cause, before, after, at };
}

/** Stores the new states, and the former ones as revisions: returns their ids by memory. */
async function store(
  tx: Tx,
  { ctx, profileId, writes }: { ctx: Ctx; profileId: number; writes: readonly Write[] },
): Promise<Map<string, bigint>> {
  const byUserId = ctx.caller.kind === "person" ? ctx.caller.userId : null;
  const revisions = await tx.memoryRevision.createManyAndReturn({
    data: writes.map(({ id, cause, before, at }) => ({
      ...before,
      ...{ memoryId: id, createdAt: at, cause, byUserId },
    })),
    select: { id: true, memoryId: true },
  });
  const rows: object[] = [];
  for (const { id, before, after, at } of writes) {
    const { content } = after;
    const read = content === before.content ? {} : await readMemory(tx, profileId, content);
    rows.push({ ...after, ...read, id, updatedAt: at });
  }
  await tx.$executeRaw`UPDATE "Memory" m SET category = n.category, content = n.content,
       confidence = n.confidence, "archivedAt" = n."archivedAt", "deletedAt" = n."deletedAt", "updatedAt" = n."updatedAt",
       flags = coalesce(n.flags, m.flags), "likeText" = coalesce(n."likeText", m."likeText")
     FROM json_populate_recordset(NULL::"Memory", ${JSON.stringify(rows)}::json) n WHERE m.id = n.id`;
  return new Map(revisions.map(({ id, memoryId }) => [memoryId, id]));
}

/** Whether a category may have its first live memory by this. */
function isNewlyThere({ before, after }: Write): boolean {
  const isSameCategory = before.category === after.category;
  return stateOf(after) === "live" && !(isSameCategory && stateOf(before) === "live");
}

function eventOf({ id, cause, before, after: { category } }: Write) {
  const from = category === before.category ? {} : { from: before.category };
  return { subjectId: id, detail: { action: cause, category, ...from } };
}

function isSame(one: Kept[keyof Kept], other: Kept[keyof Kept]): boolean {
  return one?.valueOf() === other?.valueOf();
}
