"use server";

import { revalidatePath } from "next/cache";
import { cookies } from "next/headers";
import { asFormData, profileAction } from "@/lib/http/session/action";
import { reviewProposal } from "@/lib/services/proposals/review";
import { type Left, reviewMany } from "@/lib/services/proposals/review-many";
import { counted } from "../../_components/words/list";
import { keysCookie } from "./review/keys-cookie";
import { ManyForm, ReviewForm } from "./schemas";

/** What a decided card needs to know about itself. */
export interface Reviewed {
  proposalId: string;
}

export const reviewAction = profileAction(ReviewForm, async ({ ctx, profile: { did }, input }) => {
  const { proposalId } = input;
  const shown: Reviewed = { proposalId };
  if (input.intent === "preview") return { ok: true, message: null, shown, keeps: true };
  await reviewProposal(ctx, { did, proposalId, ...verdictOf(input) });
  revalidatePath("/dashboard", "layout");
  const undo = { kind: "proposal", id: proposalId };
  return { ok: true, message: words[input.intent], shown, undo };
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
  if ("memoryId" in input) return { action: "approve" as const, replaces: input.memoryId };
  return "editedContent" in input
    ? { action: "approve" as const, editedContent: input.editedContent }
    : { action: "approve" as const };
}

/** The result for each selected proposal: done, or why it was left. */
export interface ManyShown {
  became: Record<string, { isDone: boolean; message: string }>;
}

export const reviewManyAction = profileAction(
  ManyForm,
  async ({ ctx, profile: { did }, input: { intent, reason, proposalIds } }) => {
    const decision = { did, proposalIds, action: intent, ...(reason === "" ? {} : { reason }) };
    const answers = await reviewMany(ctx, decision);
    revalidatePath("/dashboard", "layout");
    const shown: ManyShown = { became: {} };
    for (const answer of answers) {
      const isDone = answer.status !== "left";
      const message = answer.status === "left" ? leftWords[answer.why] : words[intent];
      shown.became[answer.proposalId] = { isDone, message };
    }
    const done = answers.filter(({ status }) => status !== "left");
    const message = manyWords({ intent, done: done.length, left: answers.flatMap(leftOf) });
    const undo = { kind: "proposal", id: done.map(({ proposalId }) => proposalId).join(",") };
    return { ok: true, message, shown, ...(done.length === 0 ? {} : { undo }) };
  },
);

const leftWords: Record<Left, string> = {
  sensitive: "Left as it was: what is sensitive is approved one at a time.",
  not_waiting: "Left as it was: it had been decided or had expired.",
  no_room: "Left as it was: this profile has 500 categories already.",
  unknown: "Left as it was: it is no proposal of this profile.",
};

function leftOf(answer: { status: string; why?: Left }): Left[] {
  return answer.why === undefined ? [] : [answer.why];
}

interface Became {
  intent: "approve" | "reject";
  done: number;
  left: Left[];
}

function manyWords({ intent, done, left }: Became): string {
  const sensitive = left.filter((why) => why === "sensitive").length;
  const others = left.length - sensitive;
  return [
    `${counted(done, "proposal")} ${intent === "approve" ? "approved" : "rejected"}.`,
    sensitive > 0 &&
      `${sensitive.toLocaleString("en")} left: what is sensitive is approved one at a time.`,
    others > 0 && `${others.toLocaleString("en")} left: not waiting any more.`,
  ]
    .filter(Boolean)
    .join(" ");
}

const yearSeconds = 365 * 24 * 60 * 60;

// A preference of this browser, like the theme.
export async function chooseKeys(form: FormData): Promise<void> {
  (await cookies()).set(keysCookie, asFormData(form).get("keys") === "off" ? "off" : "on", {
    path: "/",
    sameSite: "lax",
    maxAge: yearSeconds,
  });
}
