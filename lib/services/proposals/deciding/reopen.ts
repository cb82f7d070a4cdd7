import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { invalidRequest, notFound } from "@/lib/protocol/errors";
import { demandConfirmed } from "../../authority";
import type { Ctx } from "../../context";
import { changeProfile, type OpenChange } from "../../profile-gate";
import { notifyAgents } from "../../webhooks/notify-agents";
import { awaitTurns } from "../propose";
import { forgetRejection } from "./rejections";

export interface Reopening {
  did: string;
  /** All of them or none. */
  proposalIds: readonly string[];
}

/**
 * The condition on `"Proposal" p`: decided by its owner, not expired, its result unchanged, and not proposed
 * again since. Protocol 6.
 */
export function isReopenable(now: Date): Prisma.Sql {
  return Prisma.sql`(p.status <> 'pending' AND p."reviewedBy" IS NOT NULL AND p."expiresAt" > ${now}
    AND NOT EXISTS (
      SELECT FROM "ImportBatch" b WHERE b.id = p."batchId" AND b."undoneAt" IS NOT NULL)
    AND (p.status = 'rejected' OR EXISTS (
      SELECT FROM "Memory" m WHERE m."proposalId" = p.id AND m."archivedAt" IS NULL
        AND m."deletedAt" IS NULL
        AND NOT EXISTS (SELECT FROM "MemoryRevision" r WHERE r."memoryId" = m.id)))
    AND NOT EXISTS (
      SELECT FROM "Proposal" o WHERE o."profileId" = p."profileId" AND o."agentDid" = p."agentDid"
        AND o.category = p.category AND o."contentHash" = p."contentHash" AND o.status = 'pending'))`;
}

/**
 * Undoes the owner's decisions: the proposals wait again, their memories are gone, and replaced memories are
 * back.
 */
export async function reopenProposals(ctx: Ctx, { did, proposalIds }: Reopening): Promise<void> {
  await changeProfile(ctx, { verb: "reopenProposal", did }, async (open) => {
    const { tx } = open;
    // In one order, so that two of these at once never wait for each other.
    const ids = [...new Set(proposalIds)].toSorted();
    await lockAgents(tx, open, ids);
    for (const proposalId of ids) await reopen(tx, { ctx, open, proposalId });
    await notifyAgents(tx, ctx.now, { proposals: ids });
  });
}

export interface Reopened {
  ctx: Ctx;
  open: OpenChange;
  proposalId: string;
}

export async function lockAgents(tx: Tx, { profile }: OpenChange, ids: readonly string[]) {
  const rows = await tx.proposal.findMany({
    where: { id: { in: [...ids] }, profileId: profile.id },
    select: { agentDid: true },
  });
  if (rows.length < ids.length) throw notFound("proposal");
  const agentDids = [...new Set(rows.map(({ agentDid }) => agentDid))];
  await awaitTurns(tx, { profileId: profile.id, agentDids });
}

// Locks first, so that nobody else changes the memory afterwards.
export async function reopen(tx: Tx, { ctx, open, proposalId }: Reopened): Promise<void> {
  const rows = await tx.$queryRaw<
    { isEdited: boolean }[]
  >`SELECT m.content <> p.content AS "isEdited" FROM "Memory" m
     JOIN "Proposal" p ON p.id = m."proposalId" WHERE p.id = ${proposalId} FOR UPDATE OF m`;
  const decisions = await tx.$queryRaw<{ status: string; reason: string | null }[]>`
    UPDATE "Proposal" p
    SET status = 'pending', "reviewedAt" = NULL, "reviewedBy" = NULL, reason = NULL, "ruleId" = NULL,
      "reviewerId" = NULL, "leftByRules" = true
    FROM "Proposal" decided
    WHERE p.id = ${proposalId} AND p."profileId" = ${open.profile.id} AND decided.id = p.id
      AND ${isReopenable(ctx.now)}
    RETURNING decided.status, decided.reason`;
  const [before] = decisions;
  if (before === undefined) throw refusal();
  // The owner's words are nowhere else.
  if (rows.some(({ isEdited }) => isEdited)) await demandConfirmed(tx, ctx);
  await restoreReplaced(tx, { ctx, open, proposalId });
  await forgetRejection(tx, proposalId);
  await tx.memory.deleteMany({ where: { proposalId, profileId: open.profile.id } });
  // A proposal that waits has no reason; the agent may have read this one.
  await open.record({ subjectId: proposalId, detail: { before } });
}

// Where its owner has not decided about it since: then its last revision is that of being replaced.
export async function restoreReplaced(tx: Tx, { ctx, open, proposalId }: Reopened) {
  const rows = await tx.$queryRaw<
    { id: string }[]
  >`SELECT o.id FROM "Memory" o JOIN "Memory" m ON m.id = o."replacedById"
     WHERE m."proposalId" = ${proposalId} AND o."profileId" = ${open.profile.id} FOR UPDATE OF o`;
  for (const { id } of rows) {
    await tx.$executeRaw`WITH last AS (
         SELECT id, cause FROM "MemoryRevision" WHERE "memoryId" = ${id} ORDER BY id DESC LIMIT 1
       ), back AS (
         UPDATE "Memory" SET "archivedAt" = NULL, "replacedById" = NULL, "updatedAt" = ${ctx.now}
         WHERE id = ${id} AND "deletedAt" IS NULL AND (SELECT cause FROM last) = 'replaced'
         RETURNING id
       )
       DELETE FROM "MemoryRevision" WHERE id = (SELECT id FROM last) AND EXISTS (SELECT FROM back)`;
  }
}

function refusal() {
  const message =
    "It cannot wait again: it has expired, waits already, its memory was changed since, or its agent has proposed the same again.";
  return invalidRequest([{ path: "proposalId", message }]);
}
