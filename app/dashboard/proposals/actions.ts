"use server";

import { revalidatePath } from "next/cache";
import { cookies } from "next/headers";
import { action } from "@/lib/http/action";
import { reviewProposal } from "@/lib/services/proposals/review";
import { profileOf } from "../profile";
import { keysCookie } from "./review/keys-cookie";
import { ReviewForm } from "./schemas";

/** What the card that was decided on needs to know about itself. */
export interface Reviewed {
  proposalId: string;
}

export const reviewAction = action(ReviewForm, async ({ ctx, who, input }) => {
  const { proposalId } = input;
  const shown: Reviewed = { proposalId };
  if (input.intent === "preview") return { ok: true, message: null, shown, keeps: true };
  const { did } = profileOf(who);
  await reviewProposal(ctx, { did, proposalId, ...verdictOf(input) });
  revalidatePath("/dashboard", "layout");
  return { ok: true, message: words[input.intent], shown };
});

const words = {
  approve: "Approved: now one of your memories.",
  edit: "Approved with your changes: now one of your memories.",
  reject: "Rejected.",
};

function verdictOf(input: ReviewForm) {
  if (input.intent === "reject") {
    return { action: "reject" as const, ...(input.reason === "" ? {} : { reason: input.reason }) };
  }
  return "editedContent" in input
    ? { action: "approve" as const, editedContent: input.editedContent }
    : { action: "approve" as const };
}

const yearSeconds = 365 * 24 * 60 * 60;

// A preference of this browser, like the theme.
export async function chooseKeys(form: FormData): Promise<void> {
  (await cookies()).set(keysCookie, form.get("keys") === "off" ? "off" : "on", {
    path: "/",
    sameSite: "lax",
    maxAge: yearSeconds,
  });
}
