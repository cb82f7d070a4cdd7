"use server";

import { revalidatePath } from "next/cache";
import { asFormData, profileAction } from "@/lib/http/session/action";
import { rememberChoice } from "@/lib/http/session/remember-choice";
import { reviewProposal } from "@/lib/services/proposals/deciding/review";
import { reviewMany } from "@/lib/services/proposals/deciding/review-many";
import { takesSecondAct } from "@/lib/services/proposals/deciding/second-act";
import { leftWords } from "./left-words";
import { keysCookie } from "./review/keys/keys-cookie";
import { ManyForm, ReviewForm } from "./schemas";

export const reviewAction = profileAction(ReviewForm, async ({ ctx, profile: { did }, input }) => {
  const { proposalId, intent } = input;
  const keeps = { ok: true, message: null, keeps: true };
  if (intent === "preview" || intent === "ask") return keeps;
  const verdict = verdictOf(input);
  if (intent !== "reject" && input.isAsked === undefined) {
    const isTwice = await takesSecondAct(ctx, { did, proposalId, ...verdict });
    if (isTwice) return { ...keeps, message: "You are asked once more before it is kept." };
  }
  await reviewProposal(ctx, { did, proposalId, ...verdict });
  // Without the page, which takes longer than the decision: the inbox shows the next card, and `Live` loads the page.
  return { ok: true, message: words[intent], undo: { kind: "proposal", id: proposalId } };
});

const words = {
  approve: "Approved: now one of your memories.",
  edit: "Approved with your changes: now one of your memories.",
  replace: "Approved in place of the memory it resembles, which is archived.",
  reject: "Rejected.",
};

function verdictOf(input: ReviewForm) {
  if (input.intent === "reject") {
    return { action: "reject" as const, ...(input.reason === "" ? {} : { reason: input.reason }) };
  }
  const approved = { action: "approve" as const, editedCategory: input.category };
  if ("memoryId" in input) return { ...approved, replaces: input.memoryId };
  return "editedContent" in input ? { ...approved, editedContent: input.editedContent } : approved;
}

/** Decides a group. Its `undo` names what was decided; the rest is as it was, and the message says why. */
export const reviewManyAction = profileAction(
  ManyForm,
  async ({ ctx, profile: { did }, input: { intent, proposalIds } }) => {
    const answers = await reviewMany(ctx, { did, proposalIds, action: intent });
    revalidatePath("/dashboard", "layout");
    const left = answers.flatMap((one) => (one.status === "left" ? one.why : []));
    const done = answers.flatMap(({ status, proposalId }) => (status === "left" ? [] : proposalId));
    return {
      ok: left.length === 0,
      message: leftWords(left),
      undo: done.length === 0 ? undefined : { kind: "proposal", id: done.join(",") },
    };
  },
);

// A preference of this browser, like the theme.
export async function chooseKeys(form: FormData): Promise<void> {
  await rememberChoice(keysCookie, asFormData(form).get("keys") === "off" ? "off" : "on");
}
