"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { type Outcome, profileAction } from "@/lib/http/session/action";
import { invalidRequest } from "@/lib/protocol/errors";
import type { Ctx } from "@/lib/services/context";
import { addPolicy, editPolicy, switchPolicy } from "@/lib/services/policies/policies";
import { removePolicy } from "@/lib/services/policies/remove";
import { applyTemplate } from "@/lib/services/policies/template";
import { previewDraft } from "./effect/preview";
import { ChangeForm, endAt, PolicyForm } from "./schemas";

const page = "/dashboard/access/policies";

/** Saves a rule, or shows what it would change. */
export const saveAction = profileAction(PolicyForm, async ({ ctx, profile: { did }, input }) => {
  const { intent, policyId, shownAs, lookAs, ends } = input;
  const policy = { ...input.policy, expiresAt: endAt(ends, ctx.now) };
  if (intent === "preview") {
    const shown = await previewDraft(ctx, { did, policyId, policy, lookAs });
    return { ok: true, message: null, shown, keeps: true };
  }
  if (policyId === undefined) {
    const added = await addPolicy(ctx, { did, policy: { ...policy, origin: "owner" } });
    done(added);
  }
  if (shownAs === undefined) {
    throw invalidRequest([{ path: "shownAs", message: "Open the rule again and repeat this." }]);
  }
  await editPolicy(ctx, { did, policyId, shownAs: new Date(shownAs), policy });
  done(policyId);
});

function done(policyId: string): never {
  revalidatePath("/dashboard", "layout");
  redirect(`${page}?saved=${policyId}#${policyId}`);
}

/** One form for the whole list, so that its result outlives the row it belonged to. */
export const changeAction = profileAction(ChangeForm, async ({ ctx, profile: { did }, input }) => {
  const outcome = await change(ctx, did, input);
  revalidatePath("/dashboard", "layout");
  return outcome;
});

async function change(ctx: Ctx, did: string, input: ChangeForm): Promise<Outcome> {
  if ("remove" in input) {
    await removePolicy(ctx, { did, policyId: input.remove });
    return { ok: true, message: "Removed.", undo: { kind: "policy", id: input.remove } };
  }
  if ("template" in input) {
    await applyTemplate(ctx, { did, template: input.template });
    const message = "The template's rules stand; your own stayed.";
    return { ok: true, message, undo: { kind: "template", id: ctx.requestId } };
  }
  const enabled = "on" in input;
  await switchPolicy(ctx, { did, policyId: enabled ? input.on : input.off, enabled });
  return { ok: true, message: enabled ? "Switched on." : "Switched off: it opens nothing." };
}
