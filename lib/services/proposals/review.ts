import type { PoolClient } from "pg";
import { inTransaction } from "@/lib/engine/db";
import { newId } from "@/lib/engine/random";
import { invalidRequest, notFound } from "@/lib/protocol/errors";
import type { ReviewRequest } from "@/lib/protocol/requests";
import type { ProposalStatus, ReviewedProposal } from "@/lib/protocol/resources";
import { effectiveState, transitions } from "@/lib/rules/review";
import type { Ctx } from "../context";
import { type OpenProfile, onProfile } from "../open-profile";

export type ReviewAsked = ReviewRequest & { did: string; proposalId: string };

/** Spec, Endpoints 6. Of any number of racing reviews one wins, and an approval makes one memory. */
export async function reviewProposal(ctx: Ctx, asked: ReviewAsked): Promise<ReviewedProposal> {
  return onProfile(ctx, { verb: "reviewProposal", did: asked.did }, (open) =>
    inTransaction(ctx.pool, async (client) => {
      const reviewed = await settle(client, { ctx, open, asked });
      if (reviewed === null) throw await refusal(client, { ctx, open, asked });
      await open.record(client, {
        subjectId: asked.proposalId,
        detail: {
          action: asked.action,
          edited: asked.editedContent !== undefined,
          ...(reviewed.status === "approved" ? { memoryId: reviewed.memoryId } : {}),
        },
      });
      return reviewed;
    }),
  );
}

interface Reviewing {
  ctx: Ctx;
  open: OpenProfile;
  asked: ReviewAsked;
}

// The update is the decision: whoever finds the proposal pending and alive has won, and what it
// returns is what the memory is made of.
async function settle(
  client: PoolClient,
  { ctx, open, asked }: Reviewing,
): Promise<ReviewedProposal | null> {
  const { proposalId, action, editedContent, reason } = asked;
  const status = transitions[action].next;
  const { rows } = await client.query<{ id: string; memoryId: string | null }>({
    name: "review-proposal",
    text: reviewStatement,
    values: [
      proposalId,
      open.profile.id,
      status,
      ctx.now,
      open.profile.did,
      reason,
      newId("mem"),
      editedContent,
    ],
  });
  const [row] = rows;
  if (row === undefined) return null;
  return row.memoryId === null
    ? { proposalId, status: "rejected" }
    : { proposalId, status: "approved", memoryId: row.memoryId };
}

async function refusal(client: PoolClient, { ctx, open, asked }: Reviewing) {
  const { rows } = await client.query<{
    status: ProposalStatus;
    expiresAt: Date;
    reason: string | null;
  }>(`SELECT status, "expiresAt", reason FROM "Proposal" WHERE id = $1 AND "profileId" = $2`, [
    asked.proposalId,
    open.profile.id,
  ]);
  const [proposal] = rows;
  if (proposal === undefined) return notFound("proposal");
  const { status, reason } = effectiveState(proposal, ctx.now);
  const how = reason === "expired" ? "has expired" : `was ${status} already`;
  const message = `This proposal ${how}; nothing was changed.`;
  return invalidRequest([{ path: "path.proposalId", message }], { status });
}

const reviewStatement = `
  WITH decided AS (
    UPDATE "Proposal"
    SET status = $3::"ProposalStatus", "reviewedAt" = $4, "reviewedBy" = $5, reason = $6
    WHERE id = $1 AND "profileId" = $2 AND status = 'pending' AND "expiresAt" > $4
    RETURNING *
  ), made AS (
    INSERT INTO "Memory" (id, "profileId", category, content, confidence, source, "agentDid",
      "proposalId", "createdAt", "updatedAt")
    SELECT $7, "profileId", category, coalesce($8, content), confidence,
      (CASE "agentDid" WHEN $5 THEN 'owner' ELSE 'agent' END)::"MemorySource",
      nullif("agentDid", $5), id, $4, $4
    FROM decided WHERE status = 'approved'
    RETURNING id
  )
  SELECT decided.id, made.id AS "memoryId" FROM decided LEFT JOIN made ON true`;
