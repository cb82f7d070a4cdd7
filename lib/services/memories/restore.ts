import type { Tx } from "@/lib/engine/db";
import { notFound } from "@/lib/protocol/errors";
import type { Ctx } from "../context";
import { type Changed, changeFound, type Kept } from "./change";

export interface Restoring {
  did: string;
  revisionId: string;
  /** The memory's `updatedAt` as the owner saw it; left out, nothing may have come after the revision. */
  seen?: Date;
}

/** Undo, and restoring from the history: the memory is again what it was, and what it is now is kept. */
export function restoreRevision(
  ctx: Ctx,
  { did, revisionId, seen }: Restoring,
): Promise<Changed | null> {
  return changeFound(ctx, did, async (tx, profileId) => {
    const { memoryId, changedAt, ...before } = await findRevision(tx, revisionId, profileId);
    // Whose deletion comes back gets the whole time to be restored again.
    const deletedAt = before.deletedAt === null ? null : ctx.now;
    const to = { ...before, deletedAt };
    return { memoryId, seen: seen ?? changedAt, to, cause: "restored" };
  });
}

type Found = Kept & { memoryId: string; changedAt: Date };

async function findRevision(tx: Tx, revisionId: string, profileId: number): Promise<Found> {
  const [, number] = /^rev_([0-9]{1,18})$/.exec(revisionId) ?? [];
  if (number === undefined) throw notFound("memory");
  const rows = await tx.$queryRaw<
    Found[]
  >`SELECT r."memoryId", r."createdAt" AS "changedAt", r.category, r.content, r.confidence,
       r."archivedAt", r."deletedAt"
     FROM "MemoryRevision" r JOIN "Memory" m ON m.id = r."memoryId"
     WHERE r.id = ${number}::bigint AND m."profileId" = ${profileId}`;
  const [revision] = rows;
  if (revision === undefined) throw notFound("memory");
  return revision;
}
