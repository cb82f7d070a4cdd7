"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { profileAction } from "@/lib/http/session/action";
import { idOf } from "@/lib/http/session/form-fields";
import { Did } from "@/lib/protocol/did";
import { switchEverythingOff } from "@/lib/services/access/denial/everything-off";
import { revokeAgent } from "@/lib/services/access/revoke-agent";
import { removePolicy } from "@/lib/services/policies/remove";
import { liftRejection } from "@/lib/services/proposals/deciding/rejections";

const RemoveAccessForm = z.object({ agentDid: Did, blocks: z.literal("on").optional() });

export const removeAccessAction = profileAction(
  RemoveAccessForm,
  async ({ ctx, profile: { did }, input: { agentDid, blocks } }) => {
    const revoking = { did, agentDid, blocks: blocks !== undefined };
    const { eventId } = await revokeAgent(ctx, revoking);
    revalidatePath("/dashboard", "layout");
    return {
      ok: true,
      message: revoking.blocks
        ? "Blocked: it reads nothing and proposes nothing from now on."
        : "Access removed: its very next request gets nothing from these grants.",
      undo: { kind: "access", id: eventId },
    };
  },
);

const LiftRejectionForm = z.object({ rejectionId: idOf("rej", "a rejection") });

export const liftRejectionAction = profileAction(
  LiftRejectionForm,
  async ({ ctx, profile: { did }, input }) => {
    await liftRejection(ctx, { did, ...input });
    revalidatePath("/dashboard", "layout");
    return { ok: true, message: "Lifted: if the agent proposes it again, it waits in your inbox." };
  },
);

const EverythingOffForm = z.object({ intent: z.literal("off") });

export const everythingOffAction = profileAction(
  EverythingOffForm,
  async ({ ctx, profile: { did } }) => {
    const { policyId, isNew } = await switchEverythingOff(ctx, did);
    revalidatePath("/dashboard", "layout");
    if (!isNew) return { ok: true, message: "Everything was off already." };
    return {
      ok: true,
      message: "Everything is off: no agent reads or proposes anything from now on.",
      undo: { kind: "everything-off", id: policyId },
    };
  },
);

const LiftForm = z.object({ policyId: idOf("pol", "a rule") });

/** Removes a rule that denies everything, to one agent or to all. */
export const liftAction = profileAction(LiftForm, async ({ ctx, profile: { did }, input }) => {
  await removePolicy(ctx, { did, ...input });
  revalidatePath("/dashboard", "layout");
  return {
    ok: true,
    message: "Unblocked: your other rules decide from now on.",
    undo: { kind: "policy", id: input.policyId },
  };
});
