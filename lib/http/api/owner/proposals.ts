import { z } from "zod";
import { FlagName } from "@/lib/protocol/answers/profile";
import { Did } from "@/lib/protocol/did";
import { ReviewRequest, single } from "@/lib/protocol/requests";
import {
  Confidence,
  ProposalStatus,
  Reason,
  ReviewedProposal,
  Timestamp,
} from "@/lib/protocol/resources";
import { Category } from "@/lib/protocol/scope";
import { reviewProposal } from "@/lib/services/proposals/deciding/review";
import { reviewMany } from "@/lib/services/proposals/deciding/review-many";
import { listInbox } from "@/lib/services/proposals/inbox";
import type { InboxItem } from "@/lib/services/proposals/inbox-item";
import { formatCursor, parseCursor } from "../../session/address/cursor";
import { endpoint, NextMeta, PageQuery } from "../endpoint";
import { Agent, SometimesAt } from "../shapes";

const Proposal = z.object({
  id: z.string(),
  agent: Agent,
  content: z.string().describe("Proposed memory text."),
  category: Category,
  confidence: Confidence,
  context: z.string().nullable().describe("Why the agent proposes it."),
  status: ProposalStatus,
  proposedAt: Timestamp,
  expiresAt: Timestamp,
  decidedAt: SometimesAt,
  reason: z
    .string()
    .nullable()
    .describe("The reviewer's words, `expired`, or `withdrawn` by its agent."),
  memoryId: z.string().nullable().describe("The memory that an approval made."),
  flags: z
    .array(
      z.object({
        kind: FlagName,
        in: z.enum(["content", "context"]),
        start: z.int().describe("In UTF-16 units, like `end`."),
        end: z.int(),
      }),
    )
    .describe("What to read closely. None means that nothing was noticed."),
});

const LeftProposal = z.object({
  proposalId: z.string(),
  status: z.literal("left").describe("Nothing was changed."),
  why: z.enum(["sensitive", "flagged", "kept", "not_waiting", "no_room", "unknown"]),
});

export const proposalEndpoints = {
  listProposals: endpoint(
    "GET /api/profiles/{did}/proposals",
    {
      summary: "List what agents proposed, newest first.",
      query: PageQuery.extend({
        status: single()
          .pipe(z.enum(["pending", "decided"]))
          .default("pending")
          .describe("What waits for you, or what is approved, rejected or expired."),
        agent: single().pipe(Did).optional().describe("Only proposals of this agent."),
        category: single().pipe(Category).optional().describe("This category and all below it."),
      }),
      data: z.array(Proposal),
      meta: NextMeta,
    },
    async ({ ctx, params: { did }, query }) => {
      const { status: tab, agent: agentDid, category, cursor, limit } = query;
      const from = parseCursor(cursor);
      const after = from && { at: from.at.toISOString(), id: from.id };
      const { items, next } = await listInbox(ctx, { did, tab, agentDid, category, after, limit });
      const place = next === null ? null : { at: new Date(next.at), id: next.id };
      return {
        data: items.map(proposalOf),
        meta: { count: items.length, next: formatCursor(place) },
      };
    },
  ),
  reviewProposal: endpoint(
    "POST /api/profiles/{did}/proposals/{proposalId}/review",
    {
      summary: "Approve or reject a pending proposal.",
      body: ReviewRequest,
      data: ReviewedProposal,
    },
    async ({ ctx, params, body }) => ({ data: await reviewProposal(ctx, { ...params, ...body }) }),
  ),
  reviewProposals: endpoint(
    "POST /api/profiles/{did}/proposals/review",
    {
      summary:
        "Approve or reject many at once; what is sensitive or has a warning is approved one at a time only.",
      body: z
        .object({
          action: z.enum(["approve", "reject"]),
          proposalIds: z.array(z.string().max(40)).min(1).max(100).describe("At most 100."),
          reason: Reason.optional(),
        })
        .meta({ examples: [{ action: "reject", proposalIds: ["prop_8uGe2LwF5aTjC0iXo3MqSk"] }] }),
      data: z.array(z.union([ReviewedProposal, LeftProposal])).describe("What became of each."),
    },
    async ({ ctx, params, body }) => ({ data: await reviewMany(ctx, { ...params, ...body }) }),
  ),
};

function proposalOf(item: InboxItem) {
  const { id, agent, content, category, confidence, context, status } = item;
  const { proposedAt, expiresAt, decidedAt, reason, memory, flags } = item;
  const proposed = { id, agent, content, category, confidence, context, proposedAt, expiresAt };
  return { ...proposed, status, decidedAt, reason, memoryId: memory?.id ?? null, flags };
}
