import { z } from "zod";
import { idOf, tickedUnder, typedText } from "@/lib/http/session/form-fields";
import { Content, Reason } from "@/lib/protocol/resources";
import { pickPrefix } from "./bulk/pick-prefix";

export const ProposalId = idOf("prop", "a proposal");

export const ReviewForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("approve"), proposalId: ProposalId }),
  z.object({
    intent: z.enum(["edit", "preview"]),
    proposalId: ProposalId,
    editedContent: typedText(Content),
  }),
  z.object({
    intent: z.literal("replace"),
    proposalId: ProposalId,
    memoryId: idOf("mem", "a memory"),
  }),
  z.object({
    intent: z.literal("reject"),
    proposalId: ProposalId,
    reason: typedText(Reason),
  }),
]);
export type ReviewForm = z.output<typeof ReviewForm>;

export const ManyForm = z
  .object({
    intent: z.enum(["approve", "reject"]),
    reason: typedText(Reason).default(""),
  })
  .catchall(z.string())
  .transform(({ intent, reason, ...picks }) => ({
    intent,
    reason,
    proposalIds: tickedUnder(pickPrefix, picks),
  }))
  .refine(
    ({ proposalIds }) => z.array(ProposalId).min(1).max(100).safeParse(proposalIds).success,
    "Select 1 to 100 proposals.",
  );
