import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Ctx } from "../../context";
import type { OpenChange } from "../../profile-gate";
import { notifyAgents } from "../../webhooks/notify-agents";
import { isReopenable, lockAgents, reopen } from "./reopen";

export interface ApprovalsUndone {
  /** Wait again. */
  waiting: number;
  /** Had expired or were proposed again: only their memories are gone. */
  deleted: number;
  /** Stay, as their memories were changed since. */
  left: number;
}

/** A condition on `"Memory" m`: it is as it was approved. */
const isUntouched = Prisma.sql`(m."archivedAt" IS NULL AND m."deletedAt" IS NULL
  AND NOT EXISTS (SELECT FROM "MemoryRevision" r WHERE r."memoryId" = m.id))`;

/** Undoes these approvals, each as far as it can be. Part of a change that has locked the profile. */
export async function undoApprovals(
  ctx: Ctx,
  open: OpenChange,
  proposalIds: readonly string[],
): Promise<ApprovalsUndone> {
  const { tx, profile } = open;
  const ids = [...new Set(proposalIds)].toSorted();
  await lockAgents(tx, open, ids);
  const rows = await tx.$queryRaw<{ id: string; waits: boolean }[]>`
    SELECT p.id, ${isReopenable(ctx.now)} AS waits
    FROM "Proposal" p JOIN "Memory" m ON m."proposalId" = p.id
    WHERE p.id = ANY (${ids}::text[]) AND p."profileId" = ${profile.id} AND p.status = 'approved' AND ${isUntouched}
    ORDER BY p.id`;
  const expired = rows.filter(({ waits }) => !waits).map(({ id }) => id);
  for (const { id } of rows.filter(({ waits }) => waits)) {
    await reopen(tx, { ctx, open, proposalId: id });
  }
  const gone = { profileId: profile.id, proposalId: { in: expired } };
  const { count: deleted } = await tx.memory.deleteMany({ where: gone });
  const detail = { before: { status: "approved" }, deleted: true };
  await open.recordAll(expired.map((subjectId) => ({ subjectId, detail })));
  const waiting = rows.length - expired.length;
  await notifyAgents(tx, ctx.now, { proposals: rows.map(({ id }) => id) });
  return { waiting, deleted, left: ids.length - rows.length };
}
