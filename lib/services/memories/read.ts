import { Prisma } from "@/lib/engine/prisma-client/client";
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

export interface ReadInput {
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
  { did, memoryId, after, limit, bytesMax }: ReadInput,
): Promise<MemoryRead | null> {
  return onProfile(ctx, { verb: "browseMemories", did }, async ({ profile }) => {
    const rows = await ctx.db.$queryRaw<
      Row[]
    >`SELECT ${shownColumns}, p.content AS proposed, p.context
             FROM "Memory" m ${shownJoins} WHERE m.id = ${memoryId} AND m."profileId" = ${profile.id}`;
    const [row] = rows;
    if (row === undefined) return null;
    const { proposed, context, ...memory } = row;
    const lines = await ctx.db.$queryRaw<Line[]>(
      historySql(memoryId, { after, limit, ownerId: profile.ownerId }),
    );
    const { page, last } = pageOf(lines, { limit, bytesMax });
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

const keptJson = (table: Prisma.Sql) => Prisma.sql`jsonb_build_object('category', ${table}.category,
  'content', ${table}.content, 'confidence', ${table}.confidence, 'archivedAt', ${table}."archivedAt",
  'deletedAt', ${table}."deletedAt")`;

interface HistoryQuery {
  after: string | undefined;
  limit: number;
  ownerId: string;
}

// What a memory became is what it was before its next change; after the last one, what it is now.
function historySql(memoryId: string, { after, limit, ownerId }: HistoryQuery): Prisma.Sql {
  const isAfter = after
    ? Prisma.sql`r.id < ${after.replace(/^rev_/, "")}::bigint`
    : Prisma.sql`true`;
  return Prisma.sql`
    SELECT 'rev_' || r.id AS "revisionId", r.cause, r."createdAt" AS at,
      coalesce(r."byUserId" = ${ownerId}, false) AS "byOwner", ${keptJson(Prisma.sql`r`)} AS before,
      coalesce(
        (SELECT ${keptJson(Prisma.sql`n`)} FROM "MemoryRevision" n
         WHERE n."memoryId" = r."memoryId" AND n.id > r.id ORDER BY n.id LIMIT 1),
        (SELECT ${keptJson(Prisma.sql`m`)} FROM "Memory" m WHERE m.id = r."memoryId")) AS after
    FROM "MemoryRevision" r
    WHERE r."memoryId" = ${memoryId} AND ${isAfter}
    ORDER BY r.id DESC LIMIT ${limit + 1}`;
}
