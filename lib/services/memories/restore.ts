import type { PoolClient } from "pg";
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
  return changeFound(ctx, did, async (client, profileId) => {
    const { memoryId, changedAt, ...before } = await findRevision(client, revisionId, profileId);
    // Whose deletion comes back gets the whole time to be restored again.
    const deletedAt = before.deletedAt === null ? null : ctx.now;
    const to = { ...before, deletedAt };
    return { memoryId, seen: seen ?? changedAt, to, cause: "restored" };
  });
}

type Found = Kept & { memoryId: string; changedAt: Date };

async function findRevision(
  client: PoolClient,
  revisionId: string,
  profileId: number,
): Promise<Found> {
  const [, number] = /^rev_([0-9]{1,18})$/.exec(revisionId) ?? [];
  const { rows } = await client.query<Found>(
    `SELECT r."memoryId", r."createdAt" AS "changedAt", r.category, r.content, r.confidence,
       r."archivedAt", r."deletedAt"
     FROM "MemoryRevision" r JOIN "Memory" m ON m.id = r."memoryId"
     WHERE r.id = $1 AND m."profileId" = $2`,
    [number, profileId],
  );
  const [revision] = rows;
  if (revision === undefined) throw notFound("memory");
  return revision;
}
