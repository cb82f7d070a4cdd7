import type { RevisionCause } from "@/lib/engine/prisma-client/enums";
import type { Ctx } from "../context";
import { onProfile } from "../open-profile";
import { pageOf } from "../page";
import type { Kept } from "./change";
import { type ShownMemory, shownColumns, shownJoins } from "./shown";

/** One change: what the memory was before it, and what it became. */
export interface HistoryEntry {
  revisionId: string;
  cause: RevisionCause;
  at: Date;
  byOwner: boolean;
  before: Kept;
  after: Kept;
}

/** What the agent proposed, and why. */
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

export interface ReadAsked {
  did: string;
  memoryId: string;
  after?: string;
  limit: number;
  bytesMax?: number;
}

type Row = ShownMemory & { proposed: string | null; context: string | null };
type Line = Omit<HistoryEntry, "before" | "after"> & { before: KeptJson; after: KeptJson };
type KeptJson = Omit<Kept, "archivedAt" | "deletedAt"> &
  Record<"archivedAt" | "deletedAt", string | null>;

/** One memory with where it came from and everything that it was; null where there is none (any more). */
export async function readMemory(
  ctx: Ctx,
  { did, memoryId, after, limit, bytesMax }: ReadAsked,
): Promise<MemoryRead | null> {
  return onProfile(ctx, { verb: "browseMemories", did }, async ({ profile }) => {
    const { rows } = await ctx.pool.query<Row>({
      name: "read-memory",
      text: `SELECT ${shownColumns}, p.content AS proposed, p.context
             FROM "Memory" m ${shownJoins} WHERE m.id = $1 AND m."profileId" = $2`,
      values: [memoryId, profile.id],
    });
    const [row] = rows;
    if (row === undefined) return null;
    const { proposed, context, ...memory } = row;
    const lines = await ctx.pool.query<Line>({
      name: "memory-history",
      text: historyStatement,
      values: [memoryId, after?.replace(/^rev_/, ""), limit + 1, profile.ownerId],
    });
    const { page, last } = pageOf(lines.rows, { limit, bytesMax });
    return {
      memory,
      origin: proposed === null ? null : { content: proposed, context },
      history: page.map(entryOf),
      next: last?.revisionId ?? null,
    };
  });
}

function entryOf({ before, after, ...line }: Line): HistoryEntry {
  return { ...line, before: keptOf(before), after: keptOf(after) };
}

function keptOf({ archivedAt, deletedAt, ...kept }: KeptJson): Kept {
  return { ...kept, archivedAt: dateOf(archivedAt), deletedAt: dateOf(deletedAt) };
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

function keptJson(table: "r" | "n" | "m"): string {
  return `jsonb_build_object('category', ${table}.category, 'content', ${table}.content,
    'confidence', ${table}.confidence, 'archivedAt', ${table}."archivedAt",
    'deletedAt', ${table}."deletedAt")`;
}

// What a memory became is what it was before its next change; after the last one, what it is now.
const historyStatement = `
  SELECT 'rev_' || r.id AS "revisionId", r.cause, r."createdAt" AS at,
    coalesce(r."byUserId" = $4, false) AS "byOwner", ${keptJson("r")} AS before,
    coalesce(
      (SELECT ${keptJson("n")} FROM "MemoryRevision" n
       WHERE n."memoryId" = r."memoryId" AND n.id > r.id ORDER BY n.id LIMIT 1),
      (SELECT ${keptJson("m")} FROM "Memory" m WHERE m.id = r."memoryId")) AS after
  FROM "MemoryRevision" r
  WHERE r."memoryId" = $1 AND ($2::bigint IS NULL OR r.id < $2)
  ORDER BY r.id DESC LIMIT $3`;
