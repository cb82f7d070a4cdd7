import { z } from "zod";
import type { Endpoint } from "@/lib/protocol/endpoints";
import { Empty } from "@/lib/protocol/requests";
import { ProposalStatus, Timestamp, text } from "@/lib/protocol/resources";
import { Scope } from "@/lib/protocol/scope";
import { answerLengthMax } from "@/lib/services/requests/inquiry";

// Beyond the protocol, and signed as it is: what an agent does with its own access requests and proposals.

const Inquiry = z
  .object({
    question: z.string(),
    askedAt: Timestamp,
    answer: z.string().nullable(),
    answeredAt: Timestamp.nullable(),
  })
  .nullable()
  .describe("What the owner asked about it, and what the agent answered. Each once.");

const params = (what: string, example: string) =>
  z.object({ id: z.string().meta({ description: what, examples: [example] }) });
const ofRequest = params("creq_<id>", "creq_8uGe2LwF5aTjC0iXo3MqSk");
const ofProposal = params("prop_<id>", "prop_8uGe2LwF5aTjC0iXo3MqSk");

const AnswerBody = z
  .object({ answer: text({ min: 1, max: answerLengthMax }) })
  .meta({ examples: [{ answer: "To suggest trains that leave after her class." }] });

const Followed = z.object({
  id: z.string(),
  state: z.enum(["waiting", "granted"]),
  scopes: z.array(Scope),
  grantedScopes: z.array(Scope),
  expiresAt: Timestamp.nullable().describe("When the grant ends; null: when the owner ends it."),
  inquiry: Inquiry,
});

const own = {
  credentials: ["signature", "token"],
  query: Empty,
  meta: Empty,
  limitClass: "proposals",
} as const;

export const requestEndpoints = {
  followAccess: {
    ...own,
    name: "followAccess",
    summary: "Look up what the owner decided about an access request of the caller's.",
    method: "GET",
    path: "/api/access-requests/{id}",
    params: ofRequest,
    body: null,
    data: Followed,
    statuses: {
      200: "Granted: request access again for the receipt.",
      202: "It waits for the owner.",
      408: "The grant has run out.",
      410: "The grant was ended by its owner.",
    },
    waits: Followed,
    errors: ["PROF002", "PROF003", "PROF004"],
  },
  answerAccessInquiry: {
    ...own,
    name: "answerAccessInquiry",
    summary: "Answer the owner's question about an access request, once.",
    method: "POST",
    path: "/api/access-requests/{id}/answer",
    params: ofRequest,
    body: AnswerBody,
    data: z.object({ inquiry: Inquiry }),
    statuses: { 200: "The owner reads the answer beside the request." },
    errors: ["PROF002", "PROF003"],
  },
  followProposal: {
    ...own,
    name: "followProposal",
    summary: "Look up what the owner decided about a proposal of the caller's.",
    method: "GET",
    path: "/api/proposals/{id}",
    params: ofProposal,
    body: null,
    data: z.object({
      id: z.string(),
      state: ProposalStatus,
      reason: z.string().nullable(),
      memoryId: z.string().nullable(),
      expiresAt: Timestamp,
      inquiry: Inquiry,
    }),
    statuses: { 200: "The proposal's state." },
    errors: ["PROF002", "PROF003"],
  },
  answerProposalInquiry: {
    ...own,
    name: "answerProposalInquiry",
    summary: "Answer the owner's question about a proposal, once.",
    method: "POST",
    path: "/api/proposals/{id}/answer",
    params: ofProposal,
    body: AnswerBody,
    data: z.object({ inquiry: Inquiry }),
    statuses: { 200: "The owner reads the answer beside the proposal." },
    errors: ["PROF002", "PROF003"],
  },
  withdrawProposal: {
    ...own,
    name: "withdrawProposal",
    summary: "Take back a proposal that the owner has not decided.",
    method: "POST",
    path: "/api/proposals/{id}/withdraw",
    params: ofProposal,
    body: null,
    data: z.object({ id: z.string(), state: ProposalStatus, reason: z.string().nullable() }),
    statuses: { 200: "It is rejected, with the reason `withdrawn`." },
    errors: ["PROF002", "PROF003"],
  },
} as const satisfies Record<string, Endpoint>;
