"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { action, profileAction } from "@/lib/http/session/action";
import { Email, idOf } from "@/lib/http/session/form-fields";
import { notFound } from "@/lib/protocol/errors";
import { reviewForOwner } from "@/lib/services/reviewers/review-for-owner";
import {
  endReviewer,
  inviteReviewer,
  withdrawInvitations,
} from "@/lib/services/reviewers/reviewers";
import { acceptReviewing, findReviewing, leaveReviewing } from "@/lib/services/reviewers/reviewing";

const InviteForm = z.object({ email: Email, days: z.coerce.number() });

export const inviteReviewerAction = profileAction(
  InviteForm,
  async ({ ctx, profile: { did }, input }) => {
    await inviteReviewer(ctx, { did, ...input });
    return {
      ok: true,
      message:
        "If an account here has this address, it is invited. It is listed once it has accepted.",
    };
  },
);

export const withdrawInvitationsAction = profileAction(
  z.object({}),
  async ({ ctx, profile: { did } }) => {
    await withdrawInvitations(ctx, did);
    return { ok: true, message: "No invitation to review this profile can be accepted any more." };
  },
);

const ReviewerForm = z.object({ reviewerId: idOf("rvw", "a reviewer") });

export const endReviewerAction = profileAction(
  ReviewerForm,
  async ({ ctx, profile: { did }, input }) => {
    await endReviewer(ctx, { did, ...input });
    revalidatePath("/dashboard", "layout");
    return { ok: true, message: "Ended: they decide nothing more. What they decided stays." };
  },
);

const AnswerForm = ReviewerForm.extend({ intent: z.enum(["accept", "leave"]) });

export const answerInvitationAction = action(AnswerForm, async ({ ctx, input }) => {
  const { intent, ...named } = input;
  await (intent === "accept" ? acceptReviewing(ctx, named) : leaveReviewing(ctx, named));
  revalidatePath("/dashboard", "layout");
  return {
    ok: true,
    message: intent === "accept" ? "Accepted: you can review now." : "You do not review there.",
  };
});

const DecideForm = ReviewerForm.extend({
  proposalId: idOf("prop", "a proposal"),
  intent: z.enum(["approve", "reject"]),
  reason: z.string().trim().max(500).optional(),
});

export const decideForOwnerAction = action(DecideForm, async ({ ctx, input }) => {
  const { reviewerId, proposalId, intent, reason } = input;
  const found = await findReviewing(ctx, reviewerId);
  if (found === null) throw notFound("invitation", "It has ended, and nothing was decided.");
  const deciding = { ...found, proposalId, action: intent, reason: reason || undefined };
  await reviewForOwner(ctx, intent === "approve" ? { ...deciding, reason: undefined } : deciding);
  revalidatePath("/dashboard", "layout");
  return { ok: true, message: intent === "approve" ? "Kept, by you." : "Rejected, by you." };
});
