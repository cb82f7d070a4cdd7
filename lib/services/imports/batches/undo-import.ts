import type { Tx } from "@/lib/engine/db";
import { notFound } from "@/lib/protocol/errors";
import { live } from "../../content";
import type { Ctx } from "../../context";
import { changeProfile } from "../../profile-gate";

export interface ImportUndone {
  /** How many proposals do not wait any more. */
  waiting: number;
  /** How many memories were deleted; each can be restored for 30 days. */
  deleted: number;
  /** How many memories stay, as they were changed since. */
  kept: number;
}

/** Brings back memories that a deleted one of the import took the place of, unless they changed since. */
async function restoreReplaced(
  tx: Tx,
  { batchId, profileId, now }: { batchId: string; profileId: number; now: Date },
): Promise<void> {
  await tx.$executeRaw`
    WITH back AS (
      UPDATE "Memory" o SET "archivedAt" = NULL, "replacedById" = NULL, "updatedAt" = ${now}
      FROM "Memory" m JOIN "Proposal" p ON p.id = m."proposalId"
      WHERE o."replacedById" = m.id AND o."profileId" = ${profileId} AND p."batchId" = ${batchId}
        AND m."deletedAt" = ${now} AND o."deletedAt" IS NULL
        AND (SELECT r.cause FROM "MemoryRevision" r WHERE r."memoryId" = o.id ORDER BY r.id DESC LIMIT 1) = 'replaced'
      RETURNING o.id)
    DELETE FROM "MemoryRevision" WHERE id IN (
      SELECT max(r.id) FROM "MemoryRevision" r JOIN back ON back.id = r."memoryId" GROUP BY r."memoryId")`;
}

/** Undoes an import: what waits goes, and memories that were not changed since are deleted. */
export async function undoImport(
  ctx: Ctx,
  { did, batchId }: { did: string; batchId: string },
): Promise<ImportUndone> {
  return changeProfile(ctx, { verb: "importMemories", did }, async ({ tx, profile, record }) => {
    const where = { id: batchId, profileId: profile.id };
    const batch = await tx.importBatch.findUnique({ where, select: { format: true } });
    if (batch === null) throw notFound("import");
    const waiting = await tx.proposal.deleteMany({ where: { batchId, status: "pending" } });
    const person = ctx.caller.kind === "person" ? ctx.caller.userId : null;
    const deleted = await tx.$executeRaw`
      WITH untouched AS (
        UPDATE "Memory" m SET "deletedAt" = ${ctx.now}, "updatedAt" = ${ctx.now}
        WHERE "profileId" = ${profile.id} AND ${live}
          AND "proposalId" IN (SELECT id FROM "Proposal" WHERE "batchId" = ${batchId})
          AND NOT EXISTS (SELECT FROM "MemoryRevision" r WHERE r."memoryId" = m.id)
        RETURNING id, category, content, confidence)
      INSERT INTO "MemoryRevision" ("memoryId", category, content, confidence, cause, "byUserId", "createdAt")
      SELECT id, category, content, confidence, 'deleted', ${person}::text, ${ctx.now}::timestamptz FROM untouched`;
    await restoreReplaced(tx, { batchId, profileId: profile.id, now: ctx.now });
    const kept = await tx.memory.count({
      where: { profileId: profile.id, deletedAt: null, proposal: { batchId } },
    });
    await tx.importBatch.update({ where, data: { undoneAt: ctx.now }, select: { id: true } });
    const undone = { waiting: waiting.count, deleted, kept };
    await record({ subjectId: batchId, detail: { format: batch.format, undone } });
    return undone;
  });
}
