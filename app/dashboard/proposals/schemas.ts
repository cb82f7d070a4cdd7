import { z } from "zod";
import { idOf, typedText } from "@/lib/http/session/form-fields";
import { Content, Reason } from "@/lib/protocol/resources";
import { Category } from "@/lib/protocol/scope";

export const ProposalId = idOf("prop", "a proposal");

const Kept = z.object({
  proposalId: ProposalId,
  category: Category.optional(),
  /** Sent by the question of the second act. */
  isAsked: z.literal("yes").optional(),
});

export const ReviewForm = z.discriminatedUnion("intent", [
  Kept.extend({ intent: z.literal("approve") }),
  Kept.extend({
    intent: z.enum(["edit", "ask", "preview"]),
    editedContent: typedText(Content),
  }),
  Kept.extend({ intent: z.literal("replace"), memoryId: idOf("mem", "a memory") }),
  z.object({
    intent: z.literal("reject"),
    proposalId: ProposalId,
    reason: typedText(Reason).default(""),
  }),
]);
export type ReviewForm = z.output<typeof ReviewForm>;

export const ManyForm = z.object({
  intent: z.enum(["approve", "reject"]),
  proposalIds: z
    .string()
    .transform((ids) => ids.split(","))
    .pipe(z.array(ProposalId).max(100)),
});
