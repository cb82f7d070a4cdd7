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
  const [changed = null] = await changeFound(ctx, did, async (tx, profileId) =>
    (await findRevisions(tx, [revisionId], profileId)).map((one) => restoring(ctx, one, seen)),
  );
  return changed;
}

/** Undoes changes that were made together: all of them or none. */
export async function restoreRevisions(
  ctx: Ctx,
  { did, revisionIds }: { did: string; revisionIds: readonly string[] },
): Promise<void> {
  await changeFound(ctx, did, async (tx, profileId) =>
    (await findRevisions(tx, revisionIds, profileId)).map((one) => restoring(ctx, one)),
  );
}

function restoring(ctx: Ctx, revision: Found, seen?: Date): Change {
  const { memoryId, createdAt, ...before } = revision;
  // A restored deletion starts its waiting time again.
  const deletedAt = before.deletedAt === null ? null : ctx.now;
  return { memoryId, seen: seen ?? createdAt, to: { ...before, deletedAt }, cause: "restored" };
}

type Found = Kept & { memoryId: string; createdAt: Date };

async function findRevisions(
  tx: Tx,
  revisionIds: readonly string[],
  profileId: number,
): Promise<Found[]> {
  const ids = new Set(revisionIds);
  const numbers = [...ids].map((id) => {
    const [, number] = /^rev_([0-9]{1,18})$/.exec(id) ?? [];
    if (number === undefined) throw notFound("memory");
    return BigInt(number);
  });
  const revisions: Found[] = await tx.memoryRevision.findMany({
    where: { id: { in: numbers }, memory: { profileId } },
    select: { ...kept, memoryId: true, createdAt: true },
  });
  if (revisions.length < ids.size) throw notFound("memory");
  return revisions;
}
