import type { Tx } from "@/lib/engine/db";
import { notFound } from "@/lib/protocol/errors";
import type { Ctx } from "../context";
import { type Changed, changeFound, type Kept, kept } from "./change";

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
    const { memoryId, createdAt, ...before } = await findRevision(tx, revisionId, profileId);
    // A restored deletion starts its waiting time again.
    const deletedAt = before.deletedAt === null ? null : ctx.now;
    const to = { ...before, deletedAt };
    return { memoryId, seen: seen ?? createdAt, to, cause: "restored" };
  });
}

type Found = Kept & { memoryId: string; createdAt: Date };

async function findRevision(tx: Tx, revisionId: string, profileId: number): Promise<Found> {
  const [, number] = /^rev_([0-9]{1,18})$/.exec(revisionId) ?? [];
  if (number === undefined) throw notFound("memory");
  const revision: Found | null = await tx.memoryRevision.findUnique({
    where: { id: BigInt(number), memory: { profileId } },
    select: { ...kept, memoryId: true, createdAt: true },
  });
  if (revision === null) throw notFound("memory");
  return revision;
}
