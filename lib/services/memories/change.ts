import type { Tx } from "@/lib/engine/db";
import type { MemoryRevision, Prisma } from "@/lib/engine/prisma-client/client";
import type { RevisionCause } from "@/lib/engine/prisma-client/enums";
import { invalidRequest, notFound, notNow } from "@/lib/protocol/errors";
import type { Category } from "@/lib/protocol/scope";
import { refuseWithoutRoom } from "../categories";
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
    if (changes.length === 0 || changes.length > changedAtOnceMax) throw wrongCount();
    const changed: Changed[] = [];
    // In one order, so that two of these at once never wait for each other.
    for (const change of changes.toSorted((one, other) =>
      one.memoryId < other.memoryId ? -1 : 1,
    )) {
      const written = await writeChange(tx, { ctx, profileId: profile.id, change });
      if (written === null) continue;
      changed.push(written);
      const { cause, before } = written;
      const { category = before.category } = change.to;
      const from = category === before.category ? {} : { from: before.category };
      await open.record({
        subjectId: change.memoryId,
        detail: { action: cause, category, ...from },
      });
    }
    return changed;
  });
}

function wrongCount() {
  const message = `Choose 1 to ${changedAtOnceMax} memories.`;
  return invalidRequest([{ path: "form", message }]);
}

interface Writing {
  ctx: Ctx;
  profileId: number;
  change: Change;
}

/** Changes a memory in the transaction of another verb, which records the event. */
export async function writeChange(
  tx: Tx,
  { ctx, profileId, change }: Writing,
): Promise<Changed | null> {
  const { memoryId } = change;
  const to = Object.fromEntries(
    Object.entries(change.to).filter(([, value]) => value !== undefined),
  );
  const { updatedAt, ...before } = await lockExpected(tx, profileId, change);
  const after: Kept = { ...before, ...to };
  const names = Object.keys(kept) as (keyof Kept)[];
  if (names.every((name) => isSame(before[name], after[name]))) return null;
  const isMove = before.content === after.content && before.confidence === after.confidence;
  const cause = change.cause ?? (isMove ? "moved" : "edited");
  const at = new Date(Math.max(ctx.now.getTime(), updatedAt.getTime() + 1));
  const byUserId = ctx.caller.kind === "person" ? ctx.caller.userId : null;
  const { id } = await tx.memoryRevision.create({
    data: { memoryId, createdAt: at, cause, byUserId, ...before },
    select: { id: true },
  });
  if (stateOf(after) === "live") {
    await refuseWithoutRoom(tx, { profileId, category: after.category });
  }
  const data = { ...to, updatedAt: at };
  await tx.memory.update({ where: { id: memoryId }, data, select: { id: true } });
  return { revisionId: `rev_${id}`, cause, before };
}

function isSame(one: Kept[keyof Kept], other: Kept[keyof Kept]): boolean {
  return one?.valueOf() === other?.valueOf();
}

/** Locks and returns the memory. Throws if it is not as the change expects. */
async function lockExpected(
  tx: Tx,
  profileId: number,
  { memoryId, seen, from }: Change,
): Promise<Kept & { updatedAt: Date }> {
  await tx.$executeRaw`SELECT FROM "Memory" WHERE id = ${memoryId} AND "profileId" = ${profileId} FOR UPDATE`;
  const memory: (Kept & { updatedAt: Date }) | null = await tx.memory.findUnique({
    where: { id: memoryId, profileId },
    select: { ...kept, updatedAt: true },
  });
  if (memory === null) throw notFound("memory");
  const isSeen = seen === undefined || seen.getTime() === memory.updatedAt.getTime();
  const isAllowed = from === undefined || from.includes(stateOf(memory));
  if (isSeen && isAllowed) return memory;
  throw notNow(
    memory.deletedAt !== null
      ? "This memory was deleted after you opened it, so nothing was done. You can restore it from the deleted ones."
      : "This memory was changed after you opened it, so nothing was done and the newer state stays. What you typed is kept here: look at how the memory reads now, then save again.",
  );
}
