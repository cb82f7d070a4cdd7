"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { action } from "@/lib/http/session/action";
import { Did } from "@/lib/protocol/did";
import { dismissResetLink } from "@/lib/services/notices/account-notices";
import { type Answered, answerTransfer } from "@/lib/services/transfers/answer";

const AnswerForm = z.object({
  did: Did,
  requestedAt: z.iso.datetime(),
  intent: z.enum(["accept", "refuse"]),
});

const results: Record<Answered, string> = {
  refused: "Refused: the profile stays with its owner.",
  waiting: "Accepted: the transfer waits for the other owner.",
  transferred: "Accepted: the profile has its new owner now.",
  void: "The transfer is over: the other account cannot take the profile. It stays with its owner.",
};

export const answerTransferAction = action(AnswerForm, async ({ ctx, input }) => {
  const { intent, ...transfer } = input;
  const answered = await answerTransfer(ctx, { ...transfer, accepts: intent === "accept" });
  revalidatePath("/", "layout");
  return { ok: true, message: results[answered] };
});

const DismissForm = z.object({ madeAt: z.iso.datetime() });

export const dismissResetLinkAction = action(DismissForm, async ({ ctx, input: { madeAt } }) => {
  await dismissResetLink(ctx, new Date(madeAt));
  revalidatePath("/", "layout");
  return { ok: true, message: "Dismissed: the activity of your profiles keeps it." };
});
