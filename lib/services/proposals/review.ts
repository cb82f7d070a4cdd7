import type { PoolClient } from "pg";
import { inTransaction } from "@/lib/engine/db";
import { newId } from "@/lib/engine/random";
import { invalidRequest, notFound } from "@/lib/protocol/errors";
import type { ReviewRequest } from "@/lib/protocol/requests";
import type { ProposalStatus, ReviewedProposal } from "@/lib/protocol/resources";
import { effectiveState, transitions } from "@/lib/rules/review";
import { live } from "../content";
import type { Ctx } from "../context";
import { type OpenProfile, onProfile } from "../open-profile";

export type ReviewAsked = ReviewRequest & {
  did: string;
  proposalId: string;
  /** The dashboard's: an approval that takes the place of this memory. */
  replaces?: string;
};

/** Spec, Endpoints 6. Of any number of racing reviews one wins, and an approval makes one memory. */
export async function reviewProposal(ctx: Ctx, asked: ReviewAsked): Promise<ReviewedProposal> {
  return onProfile(ctx, { verb: "reviewProposal", did: asked.did }, (open) =>
    inTransaction(ctx.pool, async (client) => {
      const reviewed = await settle(client, { ctx, open, asked });
      if (reviewed === null) throw await refusal(client, { ctx, open, asked });
      return reviewed;
    }),
  );
}

export interface Reviewing {
  ctx: Ctx;
  open: OpenProfile;
  asked: Omit<ReviewAsked, "did">;
}

/**
 * The update is the decision: whoever finds the proposal pending and alive has won, and what it returns
 * is what the memory is made of. Null where it was not.
 */
export async function settle(
  client: PoolClient,
  { ctx, open, asked }: Reviewing,
): Promise<ReviewedProposal | null> {
  const { proposalId, action, editedContent, reason, replaces } = asked;
  const { rows } = await client.query<{ memoryId: string | null }>({
    name: "review-proposal",
    text: reviewStatement,
    values: [
      proposalId,
      open.profile.id,
      transitions[action].next,
      ctx.now,
      open.profile.did,
      reason,
      newId("mem"),
      editedContent,
    ],
  });
  const [row] = rows;
  if (row === undefined) return null;
  const { memoryId } = row;
  if (memoryId !== null && replaces !== undefined) {
    await replace(client, { ctx, open, memoryId, replaces });
  }
  const edited = editedContent !== undefined;
  await open.record(client, {
    subjectId: proposalId,
    detail: { action, edited, replaces, ...(memoryId === null ? {} : { memoryId }) },
  });
  return memoryId === null
    ? { proposalId, status: "rejected" }
    : { proposalId, status: "approved", memoryId };
}

type Replacing = Omit<Reviewing, "asked"> & { memoryId: string; replaces: string };

async function replace(client: PoolClient, { ctx, open, memoryId, replaces }: Replacing) {
  const { rowCount } = await client.query(
    `WITH old AS (
       UPDATE "Memory" SET "archivedAt" = $3, "updatedAt" = $3, "replacedById" = $4
       WHERE id = $1 AND "profileId" = $2 AND id <> $4 AND ${live}
       RETURNING id, category, content, confidence
     )
     INSERT INTO "MemoryRevision" ("memoryId", category, content, confidence, cause, "byUserId", "createdAt")
     SELECT id, category, content, confidence, 'replaced', $5, $3 FROM old`,
    [replaces, open.profile.id, ctx.now, memoryId, personOf(ctx)],
  );
  if (rowCount === 1) return;
  const message = "The memory to replace was archived or deleted meanwhile; nothing was changed.";
  throw invalidRequest([{ path: "replaces", message }]);
}

function personOf({ caller }: Ctx): string | null {
  return caller.kind === "person" ? caller.userId : null;
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
  SELECT made.id AS "memoryId" FROM decided LEFT JOIN made ON true`;
