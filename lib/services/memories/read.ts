import type { Db } from "@/lib/engine/db";
import type { RevisionCause } from "@/lib/engine/prisma-client/enums";
import type { Ctx } from "../context";
import { pageOf } from "../page";
import { withProfile } from "../profile-gate";
import { type Kept, kept } from "./change";
import { type ShownMemory, shownColumns, shownJoins } from "./shown";

/** A change: the memory before and after it. */
export interface HistoryEntry {
  revisionId: string;
  cause: RevisionCause;
  at: Date;
  byOwner: boolean;
  before: Kept;
  after: Kept;
}

/** The proposal behind a memory. */
export interface Origin {
  content: string;
  context: string | null;
}

export interface MemoryRead {
  memory: ShownMemory;
  origin: Origin | null;
  /** Newest first. */
  history: HistoryEntry[];
  /** The revision after which older ones follow. */
  next: string | null;
}

export interface ReadInput {
  did: string;
  memoryId: string;
  after?: string;
  limit: number;
  bytesMax?: number;
}

type Row = ShownMemory & { proposed: string | null; context: string | null };

/** Returns a memory with its origin and history; null if it does not exist. */
export async function readMemory(
  ctx: Ctx,
  { did, memoryId, after, limit, bytesMax }: ReadInput,
): Promise<MemoryRead | null> {
  return withProfile(ctx, { verb: "browseMemories", did }, async ({ profile }) => {
    const rows = await ctx.db.$queryRaw<
      Row[]
    >`SELECT ${shownColumns}, p.content AS proposed, p.context
             FROM "Memory" m ${shownJoins} WHERE m.id = ${memoryId} AND m."profileId" = ${profile.id}`;
    const [row] = rows;
    if (row === undefined) return null;
    const { proposed, context, ...memory } = row;
    const history = await readHistory(ctx.db, { memory, after, limit, ownerId: profile.ownerId });
    const { page, last } = pageOf(history, { limit, bytesMax });
    return {
      memory,
      origin: proposed === null ? null : { content: proposed, context },
      history: page,
      next: last?.revisionId ?? null,
    };
  });
}

interface HistoryQuery {
  memory: ShownMemory;
  after: string | undefined;
  limit: number;
  ownerId: string;
}

// The state after a change is the state before the next one; after the last, the present one.
async function readHistory(
  db: Db,
  { memory, after, limit, ownerId }: HistoryQuery,
): Promise<HistoryEntry[]> {
  const memoryId = memory.id;
  const place = after === undefined ? undefined : BigInt(after.replace(/^rev_/, ""));
  const newer =
    place === undefined
      ? null
      : await db.memoryRevision.findFirst({
          where: { memoryId, id: { gte: place } },
          orderBy: { id: "asc" },
          select: kept,
        });
  const rows = await db.memoryRevision.findMany({
    where: { memoryId, id: { lt: place } },
    orderBy: { id: "desc" },
    take: limit + 1,
    select: { ...kept, id: true, cause: true, createdAt: true, byUserId: true },
  });
  let next = (newer ?? memory) as Kept;
  return rows.map(({ id, cause, createdAt: at, byUserId, ...before }) => {
    const after = next;
    next = before;
    const byOwner = byUserId === ownerId;
    return { revisionId: `rev_${id}`, cause, at, byOwner, before, after };
  });
}
