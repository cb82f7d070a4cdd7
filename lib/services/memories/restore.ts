import type { Tx } from "@/lib/engine/db";
import { notFound } from "@/lib/protocol/errors";
import type { Ctx } from "../context";
import { type Change, type Changed, changeFound, type Kept, kept } from "./change";

export interface Restoring {
  did: string;
  revisionId: string;
  /** The `updatedAt` that the owner saw; left out, the revision must be the last change. */
  seen?: Date;
}

/** Restores a revision, as undo or from the history. The present state becomes a revision. */
export async function restoreRevision(
  ctx: Ctx,
  { did, revisionId, seen }: Restoring,
): Promise<Changed | null> {
  const [changed = null] = await changeFound(ctx, did, async (tx, profileId) => [
    restoring(ctx, { revision: await findRevision(tx, revisionId, profileId), seen }),
  ]);
  return changed;
}

/** Undoes changes that were made together: all of them or none. */
export async function restoreRevisions(
  ctx: Ctx,
  { did, revisionIds }: { did: string; revisionIds: readonly string[] },
): Promise<void> {
  await changeFound(ctx, did, async (tx, profileId) => {
    const changes: Change[] = [];
    for (const revisionId of new Set(revisionIds)) {
      changes.push(restoring(ctx, { revision: await findRevision(tx, revisionId, profileId) }));
    }
    return changes;
  });
}

function restoring(ctx: Ctx, { revision, seen }: { revision: Found; seen?: Date }): Change {
  const { memoryId, createdAt, ...before } = revision;
  // A restored deletion starts its waiting time again.
  const deletedAt = before.deletedAt === null ? null : ctx.now;
  return { memoryId, seen: seen ?? createdAt, to: { ...before, deletedAt }, cause: "restored" };
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
