import { z } from "zod";
import { Did } from "@/lib/protocol/did";
import {
  Empty,
  ProfileParams,
  ProposalParams,
  ReviewRequest,
  single,
} from "@/lib/protocol/requests";
import {
  Confidence,
  ProposalStatus,
  Reason,
  ReviewedProposal,
  Timestamp,
} from "@/lib/protocol/resources";
import { Category } from "@/lib/protocol/scope";
import { NextMeta, PageQuery, type SessionEndpoint } from "./endpoint";
import { Agent, SometimesAt } from "./shapes";

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
  reason: z.string().nullable().describe("The reviewer's words, or `expired`."),
  memoryId: z.string().nullable().describe("The memory that an approval made."),
});

const LeftProposal = z.object({
  proposalId: z.string(),
  status: z.literal("left").describe("Nothing was changed."),
  why: z.enum(["sensitive", "not_waiting", "no_room", "unknown"]),
});

export const proposalEndpoints = {
  listProposals: {
    name: "listProposals",
    summary: "List what agents proposed, newest first.",
    method: "GET",
    path: "/api/profiles/{did}/proposals",
    params: ProfileParams,
    query: PageQuery.extend({
      status: single()
        .pipe(z.enum(["pending", "decided"]))
        .default("pending")
        .describe("What waits for you, or what is approved, rejected or expired."),
      agent: single().pipe(Did).optional().describe("Only proposals of this agent."),
      category: single().pipe(Category).optional().describe("This category and all below it."),
    }),
    body: null,
    data: z.array(Proposal),
    meta: NextMeta,
    status: 200,
  },
  reviewProposal: {
    name: "reviewProposal",
    summary: "Approve or reject a pending proposal.",
    method: "POST",
    path: "/api/profiles/{did}/proposals/{proposalId}/review",
    params: ProposalParams,
    query: Empty,
    body: ReviewRequest,
    data: ReviewedProposal,
    meta: Empty,
    status: 200,
  },
  reviewProposals: {
    name: "reviewProposals",
    summary: "Approve or reject many at once; what is sensitive is approved one at a time only.",
    method: "POST",
    path: "/api/profiles/{did}/proposals/review",
    params: ProfileParams,
    query: Empty,
    body: z
      .object({
        action: z.enum(["approve", "reject"]),
        proposalIds: z.array(z.string().max(40)).min(1).max(100).describe("At most 100."),
        reason: Reason.optional(),
      })
      .meta({ examples: [{ action: "reject", proposalIds: ["prop_8uGe2LwF5aTjC0iXo3MqSk"] }] }),
    data: z.array(z.union([ReviewedProposal, LeftProposal])).describe("What became of each."),
    meta: Empty,
    status: 200,
  },
} as const satisfies Record<string, SessionEndpoint>;
