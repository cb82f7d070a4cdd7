import { z } from "zod";
import { Content, Reason } from "@/lib/protocol/resources";
import { pickPrefix } from "./bulk/pick-prefix";

// Browsers send a line break as two characters; the proposal has one.
const oneBreak = (text: string) => text.replaceAll("\r\n", "\n");

export const ProposalId = z.string().regex(/^prop_[0-9A-Za-z]{1,32}$/, "Not a proposal.");

export const ReviewForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("approve"), proposalId: ProposalId }),
  z.object({
    intent: z.enum(["edit", "preview"]),
    proposalId: ProposalId,
    editedContent: z.string().transform(oneBreak).pipe(Content),
  }),
  z.object({
    intent: z.literal("replace"),
    proposalId: ProposalId,
    memoryId: z.string().regex(/^mem_[0-9A-Za-z]{1,32}$/, "Not a memory."),
  }),
  z.object({
    intent: z.literal("reject"),
    proposalId: ProposalId,
    reason: z.string().transform(oneBreak).pipe(Reason),
  }),
]);
export type ReviewForm = z.output<typeof ReviewForm>;

export const ManyForm = z
  .object({
    intent: z.enum(["approve", "reject"]),
    reason: z.string().transform(oneBreak).pipe(Reason).default(""),
  })
  .catchall(z.string())
  .transform(({ intent, reason, ...picks }) => ({
    intent,
    reason,
    proposalIds: Object.keys(picks).flatMap((name) =>
      name.startsWith(pickPrefix) ? [name.slice(pickPrefix.length)] : [],
    ),
  }))
  .refine(
    ({ proposalIds }) => z.array(ProposalId).min(1).max(100).safeParse(proposalIds).success,
    "Select 1 to 100 proposals.",
  );
