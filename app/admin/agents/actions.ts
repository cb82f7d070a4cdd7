"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { adminAction } from "@/lib/http/session/admin";
import {
  approveAgent,
  deleteAgent,
  refuseAgent,
  resumeAgent,
  setCeiling,
  setLimits,
  suspendAgent,
  verifyAgent,
} from "@/lib/services/admin/agents/change-agent";
import { CeilingForm, DeleteForm, LimitsForm, ReasonForm, StandingForm } from "./schemas";

const done = {
  approve: "Approved: its requests are answered from now on.",
  resume: "Resumed: its requests are answered again.",
  verify: "Verified: policies for verified agents hold for it now.",
  unverify: "Not verified any more: policies for verified agents do not hold for it.",
  refuse: "Refused. It stays known as suspended, so that its name is not taken by another.",
  suspend: "Suspended: its next request is refused, everywhere.",
};

export const standingAction = adminAction(StandingForm, async ({ ctx, input: { did, intent } }) => {
  if (intent === "approve") await approveAgent(ctx, did);
  else if (intent === "resume") await resumeAgent(ctx, did);
  else await verifyAgent(ctx, { did, verified: intent === "verify" });
  revalidatePath("/admin", "layout");
  return { ok: true, message: done[intent] };
});

export const reasonAction = adminAction(ReasonForm, async ({ ctx, input }) => {
  await (input.intent === "refuse" ? refuseAgent : suspendAgent)(ctx, input);
  revalidatePath("/admin", "layout");
  return { ok: true, message: done[input.intent] };
});

export const ceilingAction = adminAction(CeilingForm, async ({ ctx, input }) => {
  await setCeiling(ctx, input);
  revalidatePath("/admin", "layout");
  return { ok: true, message: "The ceiling holds from its next request on." };
});

export const limitsAction = adminAction(LimitsForm, async ({ ctx, input }) => {
  await setLimits(ctx, input);
  revalidatePath("/admin", "layout");
  return { ok: true, message: "The limits hold from its next request on." };
});

export const deleteAction = adminAction(DeleteForm, async ({ ctx, input: { did, typed } }) => {
  if (typed !== did) {
    return { ok: false, message: "That is not its DID. Nothing was deleted.", keeps: true };
  }
  await deleteAgent(ctx, did);
  revalidatePath("/admin", "layout");
  redirect("/admin/agents");
});
