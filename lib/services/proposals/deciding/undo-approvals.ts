import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { demandConfirmed } from "../../authority";
import type { Ctx } from "../../context";
import type { OpenChange } from "../../profile-gate";
import { notifyAgents } from "../../webhooks/notify-agents";
import { isReopenable, lockAgents, type Reopened, reopen, restoreReplaced } from "./reopen";

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
  const rows = await tx.$queryRaw<Undoable[]>`
    SELECT p.id, m.content <> p.content AS "isEdited", ${isUntouched} AS "isUntouched", ${isReopenable(ctx.now)}
        AND row_number() OVER (PARTITION BY p."agentDid", p.category, p."contentHash" ORDER BY p.id) = 1 AS waits
    FROM "Proposal" p JOIN "Memory" m ON m."proposalId" = p.id AND m."deletedAt" IS NULL
    WHERE p.id = ANY (${ids}::text[]) AND p."profileId" = ${profile.id} AND p.status = 'approved'
    ORDER BY p.id`;
  const undoable = rows.filter((row) => row.isUntouched);
  const expired = undoable.filter(({ waits }) => !waits);
  // The owner's words are nowhere else.
  if (expired.some(({ isEdited }) => isEdited)) await demandConfirmed(tx, ctx);
  for (const { id, waits } of undoable) {
    if (waits) await reopen(tx, { ctx, open, proposalId: id });
    else await deleteMemory(tx, { ctx, open, proposalId: id });
  }
  await notifyAgents(tx, ctx.now, { proposals: undoable.map(({ id }) => id) });
  const deleted = expired.length;
  return { waiting: undoable.length - deleted, deleted, left: rows.length - undoable.length };
}

interface Undoable {
  id: string;
  isEdited: boolean;
  isUntouched: boolean;
  waits: boolean;
}

async function deleteMemory(tx: Tx, { ctx, open, proposalId }: Reopened): Promise<void> {
  await restoreReplaced(tx, { ctx, open, proposalId });
  await tx.memory.deleteMany({ where: { proposalId, profileId: open.profile.id } });
  const detail = { before: { status: "approved" }, deleted: true };
  await open.record({ subjectId: proposalId, detail });
}
