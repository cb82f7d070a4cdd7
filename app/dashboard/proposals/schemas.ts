import { z } from "zod";
import { Content, Reason } from "@/lib/protocol/resources";

// Browsers send a line break as two characters; the proposal has one.
const oneBreak = (text: string) => text.replaceAll("\r\n", "\n");

const ProposalId = z.string().regex(/^prop_[0-9A-Za-z]{1,32}$/, "Not a proposal.");

export const ReviewForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("approve"), proposalId: ProposalId }),
  z.object({
    intent: z.enum(["edit", "preview"]),
    proposalId: ProposalId,
    editedContent: z.string().transform(oneBreak).pipe(Content),
  }),
  z.object({
    intent: z.literal("reject"),
    proposalId: ProposalId,
    reason: z.string().transform(oneBreak).pipe(Reason),
  }),
]);
export type ReviewForm = z.output<typeof ReviewForm>;
