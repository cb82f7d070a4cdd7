import { gathered, patience } from "@/lib/engine/gathered";
import { newId } from "@/lib/engine/random";
import { invalidRequest, notFound } from "@/lib/protocol/errors";
import type { ReviewRequest } from "@/lib/protocol/requests";
import type { ProposalStatus, ReviewedProposal } from "@/lib/protocol/resources";
import { effectiveState, transitions } from "@/lib/rules/review";
import { type EventRow, insertEvents } from "../audit/record";
import { hasRoomFor, tooManyCategories } from "../categories";
import { live } from "../content";
import type { Ctx } from "../context";
import { changeProfile, type OpenChange } from "../open-profile";

export type ReviewAsked = ReviewRequest & {
  did: string;
  proposalId: string;
  /** The dashboard's: an approval that takes the place of this memory. */
  replaces?: string;
};

/** Spec, Endpoints 6. Of any number of racing reviews one wins, and an approval makes one memory. */
export async function reviewProposal(ctx: Ctx, asked: ReviewAsked): Promise<ReviewedProposal> {
  return changeProfile(ctx, { verb: "reviewProposal", did: asked.did }, async (open) => {
    const reviewing = { ctx, open, asked };
    const reviewed = await settle(reviewing);
    if (reviewed === null) throw await refusal(reviewing);
    if (reviewed === "no_room") throw tooManyCategories();
    return reviewed;
  });
}

export interface Reviewing {
  ctx: Ctx;
  open: OpenChange;
  asked: Omit<ReviewAsked, "did">;
}

/**
 * The update is the decision: whoever finds the proposal pending and alive has won, and what it returns
 * is what the memory is made of. Null where it was not; `no_room` for a category more than fit.
 */
export async function settle({
  ctx,
  open,
  asked,
}: Reviewing): Promise<ReviewedProposal | "no_room" | null> {
  const { client } = open;
  const { proposalId, action, editedContent, replaces } = asked;
  const memoryId = transitions[action].next === "approved" ? newId("mem") : undefined;
  const detail = { action, edited: editedContent !== undefined, replaces, memoryId };
  let hasRoom = true;
  const reviewed = await open.recordWith({ subjectId: proposalId, detail }, async (event) => {
    const review = { ...reviewOf({ ctx, open, asked }), memoryId, event };
    const row = await reviews(client, review);
    if (row === undefined) return null;
    hasRoom = row.hasRoom;
    if (!hasRoom) return null;
    if (memoryId === undefined) return { proposalId, status: "rejected" } as const;
    if (replaces !== undefined) await replace({ ctx, open, memoryId, replaces });
    return { proposalId, status: "approved", memoryId } as const;
  });
  return hasRoom ? reviewed : "no_room";
}

function reviewOf({ ctx, open, asked }: Reviewing) {
  return {
    proposalId: asked.proposalId,
    profileId: open.profile.id,
    status: transitions[asked.action].next,
    now: ctx.now,
    reviewer: open.profile.did,
    reason: asked.reason,
    content: asked.editedContent,
  };
}

type Replacing = Omit<Reviewing, "asked"> & { memoryId: string; replaces: string };

async function replace({ ctx, open, memoryId, replaces }: Replacing) {
  const { rowCount } = await open.client.query(
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

async function refusal({ ctx, open, asked }: Reviewing) {
  const { rows } = await open.client.query<{
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

interface Review extends ReturnType<typeof reviewOf> {
  memoryId: string | undefined;
  event: EventRow;
}

// The proposal, the memory that an approval makes of it, and the event that tells of both.
// By their keys, however many the planner takes them for.
const isAsked = `p.id = ANY (ARRAY(SELECT "proposalId" FROM asked))`;

const reviews = gathered<Review, { hasRoom: boolean }>({
  name: "reviews",
  keyOf: ({ profileId }) => profileId,
  text: `
    WITH asked AS (
      SELECT a.* FROM (SELECT set_config('lock_timeout', $2, true)) AS patience,
        json_to_recordset($1) AS a (place int, "proposalId" text, "profileId" int,
        status "ProposalStatus", now timestamptz, reviewer text, reason text, "memoryId" text,
        content text, event json)
    ), held AS (
      -- In one order, so that nobody who reviews many waits for somebody who waits for them.
      SELECT p.id, p."profileId", p.status, p."expiresAt", p.category FROM "Proposal" p WHERE ${isAsked} ORDER BY p.id FOR UPDATE
    ), decidable AS MATERIALIZED (
      SELECT a.*, h.id, a."memoryId" IS NULL OR ${hasRoomFor('h."profileId"', "h.category")} AS "hasRoom"
      FROM asked a JOIN held h ON h.id = a."proposalId" AND h."profileId" = a."profileId"
      WHERE h.status = 'pending' AND h."expiresAt" > a.now
    ), decided AS (
      UPDATE "Proposal" p
      SET status = a.status, "reviewedAt" = a.now, "reviewedBy" = a.reviewer, reason = a.reason
      FROM decidable a WHERE p.id = a.id AND ${isAsked} AND a."hasRoom"
      RETURNING a.place, a.now, a.reviewer, a."memoryId", a.event, coalesce(a.content, p.content) AS content,
        p.id, p."profileId", p."agentDid", p.category, p.confidence
    ), made AS (
      INSERT INTO "Memory" (id, "profileId", category, content, confidence, source, "agentDid",
        "proposalId", "createdAt", "updatedAt")
      SELECT "memoryId", "profileId", category, content, confidence,
        (CASE "agentDid" WHEN reviewer THEN 'owner' ELSE 'agent' END)::"MemorySource",
        nullif("agentDid", reviewer), id, now, now
      FROM decided WHERE "memoryId" IS NOT NULL
    ), told AS (${insertEvents("(SELECT json_agg(event) FROM decided)")})
    SELECT place, true AS "hasRoom" FROM decided
    UNION ALL SELECT place, false FROM decidable WHERE NOT "hasRoom"`,
  values: (all) => [
    JSON.stringify(all.map((review, index) => ({ place: index + 1, ...review }))),
    patience(all),
  ],
});
