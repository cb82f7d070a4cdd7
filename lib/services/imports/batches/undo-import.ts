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
    const kept = await tx.memory.count({
      where: { profileId: profile.id, deletedAt: null, proposal: { batchId } },
    });
    await tx.importBatch.update({ where, data: { undoneAt: ctx.now }, select: { id: true } });
    const undone = { waiting: waiting.count, deleted, kept };
    await record({ subjectId: batchId, detail: { format: batch.format, undone } });
    return undone;
  });
}
