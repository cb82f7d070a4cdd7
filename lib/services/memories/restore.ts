import type { Tx } from "@/lib/engine/db";
import { notFound } from "@/lib/protocol/errors";
import type { Ctx } from "../context";
import { type Changed, changeFound, type Kept, kept } from "./change";

export interface Restoring {
  did: string;
  revisionId: string;
  /** The `updatedAt` that the owner saw; left out, the revision must be the last change. */
  seen?: Date;
}

/** Restores a revision, as undo or from the history. The present state becomes a revision. */
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
