import type { Approver, Proposal } from "@/lib/engine/prisma-client/client";
import { newId } from "@/lib/engine/random";
import { invalidRequest, notFound } from "@/lib/protocol/errors";
import type { ReviewRequest } from "@/lib/protocol/requests";
import type { ReviewedProposal } from "@/lib/protocol/resources";
import type { Category } from "@/lib/protocol/scope";
import { effectiveState, reviewed as statuses } from "@/lib/rules/review";
import { hasRoom, tooManyCategories } from "../../categories";
import { readMemory } from "../../claims/read-memory";
import { live } from "../../content";
import type { Ctx } from "../../context";
import { changeProfile, type OpenChange } from "../../profile-gate";
import { withdrawn } from "../../requests/withdraw";
import { notifyAgents } from "../../webhooks/notify-agents";
import { rememberRejection } from "./rejections";

export type ReviewInput = ReviewRequest & {
  did: string;
  proposalId: string;
  /** The dashboard only: where the memory is kept instead. */
  editedCategory?: Category;
  /** The dashboard only: the memory that the approval replaces. */
  replaces?: string;
};

/** Spec, Endpoints 6. Of any number of racing reviews one wins, and an approval makes one memory. */
export async function reviewProposal(ctx: Ctx, input: ReviewInput): Promise<ReviewedProposal> {
  return changeProfile(ctx, { verb: "reviewProposal", did: input.did }, async (open) => {
    const reviewing = { ctx, open, input };
    const reviewed = await settle(reviewing);
    if (reviewed === null) throw await refusal(reviewing);
    if (reviewed === "no_room") throw tooManyCategories();
    await notifyAgents(open.tx, ctx.now, { proposals: [input.proposalId] });
    return reviewed;
  });
}

export interface Reviewing {
  ctx: Ctx;
  open: OpenChange;
  input: Omit<ReviewInput, "did">;
  /** Who decides in the owner's place. */
  instead?: Decider;
}

interface Decider {
  approvedBy: Approver;
  ruleId?: string;
  reviewerId?: string;
}

const byOwner: Decider = { approvedBy: "owner" };

/** Decides a proposal that waits. Null where it does not; `no_room` for a category more than fit. */
export async function settle(reviewing: Reviewing): Promise<ReviewedProposal | "no_room" | null> {
  const { ctx, open, input } = reviewing;
  const { tx, profile } = open;
  const { approvedBy, ...instead } = reviewing.instead ?? byOwner;
  const { proposalId, action, editedContent, editedCategory, replaces, reason } = input;
  const status = statuses[action];
  const memoryId = status === "approved" ? newId("mem") : undefined;
  const waiting = await lockWaiting(reviewing);
  if (waiting === undefined) return null;
  const { agentDid, content, isImported, ...kept } = waiting;
  const category = editedCategory ?? kept.category;
  if (memoryId && !(await hasRoom(tx, { profileId: profile.id, category }))) return "no_room";
  const reviewedBy = instead.ruleId ?? instead.reviewerId ?? profile.did;
  const decided = { status, reviewedAt: ctx.now, reviewedBy, reason, ...instead };
  await tx.proposal.update({ where: { id: proposalId }, data: decided, select: { id: true } });
  const edited = editedContent !== undefined || category !== kept.category;
  const detail = { action, edited, replaces, memoryId, ...instead };
  await open.record({ subjectId: proposalId, detail });
  if (memoryId === undefined) {
    const rejected = { ...waiting, proposalId, profileId: profile.id, reason, at: ctx.now };
    await rememberRejection(tx, rejected);
    return { proposalId, status: "rejected" };
  }
  const isOwn = agentDid === profile.did;
  const text = editedContent ?? content;
  await tx.memory.create({
    data: {
      id: memoryId,
      profileId: profile.id,
      proposalId,
      ...kept,
      category,
      content: text,
      ...(await readMemory(tx, profile.id, text)),
      source: isOwn ? "owner" : isImported ? "imported" : "agent",
      approvedBy,
      agentDid: isOwn ? null : agentDid,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    },
    select: { id: true },
  });
  if (replaces !== undefined) await replace({ ctx, open, memoryId, replaces });
  return { proposalId, status: "approved", memoryId };
}

type Waiting = Pick<Proposal, "agentDid" | "content" | "category" | "confidence"> & {
  isImported: boolean;
};

/** Locks the proposal if it is pending. Of several concurrent reviews, one finds it pending. */
async function lockWaiting({ ctx, open, input }: Reviewing): Promise<Waiting | undefined> {
  const [waiting] = await open.tx.$queryRaw<Waiting[]>`
    SELECT "agentDid", content, category, confidence, "batchId" IS NOT NULL AS "isImported" FROM "Proposal"
    -- By its key, whatever the planner thinks of the other indexes.
    WHERE id = ${input.proposalId} AND "profileId" + 0 = ${open.profile.id}
      AND status::text = 'pending' AND "heldAt" IS NULL AND "expiresAt" > ${ctx.now} FOR UPDATE`;
  return waiting;
}

type Replacing = Omit<Reviewing, "input"> & { memoryId: string; replaces: string };

async function replace({ ctx, open, memoryId, replaces }: Replacing) {
  const rowCount = await open.tx.$executeRaw`WITH old AS (
       UPDATE "Memory" SET "archivedAt" = ${ctx.now}, "updatedAt" = ${ctx.now}, "replacedById" = ${memoryId}
       WHERE id = ${replaces} AND "profileId" = ${open.profile.id} AND id <> ${memoryId} AND ${live}
       RETURNING id, category, content, confidence
     )
     INSERT INTO "MemoryRevision" ("memoryId", category, content, confidence, cause, "byUserId", "createdAt")
     SELECT id, category, content, confidence, 'replaced', ${personOf(ctx)}::text, ${ctx.now}::timestamptz FROM old`;
  if (rowCount === 1) return;
  const message =
    "The memory to replace was archived or deleted in the meantime; nothing was changed.";
  throw invalidRequest([{ path: "replaces", message }]);
}

function personOf({ caller }: Ctx): string | null {
  return caller.kind === "person" ? caller.userId : null;
}

/** How a proposal ended that its owner never reviewed, by the reason that is stored. */
const unreviewed: Partial<Record<string, string>> = {
  expired: "has expired",
  [withdrawn]: "was taken back by its agent",
};

async function refusal({ ctx, open, input }: Reviewing) {
  const proposal = await open.tx.proposal.findUnique({
    where: { id: input.proposalId, profileId: open.profile.id },
    select: { status: true, expiresAt: true, reason: true, reviewedBy: true, heldAt: true },
  });
  if (proposal === null) return notFound("proposal");
  const { status, reason, reviewedBy } = effectiveState(proposal, ctx.now);
  if (proposal.heldAt !== null) return isHeld();
  const end = reviewedBy === null ? unreviewed[reason ?? ""] : undefined;
  const how = end ?? `was ${status} already`;
  const message = `This proposal ${how}; nothing was changed.`;
  return invalidRequest([{ path: "path.proposalId", message }], { status });
}

function isHeld() {
  const message =
    "Its agent is in quarantine or suspended, so its proposals are held apart; nothing was changed.";
  return invalidRequest([{ path: "path.proposalId", message }], { status: "pending" });
}
