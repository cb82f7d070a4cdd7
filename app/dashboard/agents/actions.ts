"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { profileAction } from "@/lib/http/session/action";
import { idOf } from "@/lib/http/session/form-fields";
import { Did } from "@/lib/protocol/did";
import { Scope } from "@/lib/protocol/scope";
import { switchEverythingOff } from "@/lib/services/access/denial/everything-off";
import { revokeAgent } from "@/lib/services/access/revoke-agent";
import { shrinkAccess } from "@/lib/services/access/unused/shrink-access";
import { removePolicy } from "@/lib/services/policies/remove";
import { liftRejection } from "@/lib/services/proposals/deciding/rejections";
import { categoryWords } from "../../_components/words/category";

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

// One button sends both: "pol_1 prof:health".
const RuleScope = z
  .string()
  .max(200)
  .transform((text) => text.split(" "))
  .pipe(z.tuple([idOf("pol", "a rule"), Scope]));

const ShrinkForm = z.object({ agentDid: Did, take: RuleScope });

/** Takes what an agent has not read out of the rule that opens it. */
export const shrinkAccessAction = profileAction(
  ShrinkForm,
  async ({ ctx, profile: { did }, input: { agentDid, take } }) => {
    const [policyId, scope] = take;
    const shrinking = { did, agentDid, policyId, scope };
    const { eventId, isRemoved, isStillOpen } = await shrinkAccess(ctx, shrinking);
    revalidatePath("/dashboard", "layout");
    return {
      ok: true,
      message: isStillOpen
        ? "Taken out of this rule. The agent can still read it by another one."
        : `Taken away: to read ${categoryWords(scope)}, the agent has to ask you again.`,
      undo: isRemoved
        ? { kind: "policy", id: policyId }
        : { kind: "rule-change", id: `${policyId},${eventId}` },
    };
  },
);
