"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { type Outcome, profileAction } from "@/lib/http/session/action";
import { invalidRequest, notFound } from "@/lib/protocol/errors";
import { draftId } from "@/lib/rules/effect/policy-change";
import { templates } from "@/lib/rules/templates";
import type { Ctx } from "@/lib/services/context";
import { effectOfPolicies } from "@/lib/services/policies/effect";
import { findPolicy } from "@/lib/services/policies/list";
import { addPolicy, editPolicy, switchPolicy } from "@/lib/services/policies/policies";
import type { PolicyInput } from "@/lib/services/policies/policy-input";
import { removePolicy, undoSave } from "@/lib/services/policies/remove";
import { applyTemplate } from "@/lib/services/policies/template";
import { readerZone } from "../../../_components/shell/reader-zone";
import { type EffectView, effectView } from "./effect/effect-view";
import { ChangeForm, PolicyForm, rulesAddress } from "./schemas";
import { type BroadRule, wordsToType } from "./words-to-type";

/** Saves a rule, or shows what it would change. */
export const saveAction = profileAction(
  PolicyForm,
  async ({ ctx, profile: { did }, input }): Promise<Outcome<EffectView>> => {
    const { intent, policyId, shownAs, ends, words } = input;
    const clock = { now: ctx.now, zone: await readerZone() };
    const policy = { ...input.policy, expiresAt: ends(clock) };
    const preview = () => previewDraft(ctx, { did, policyId, policy });
    if (intent === "preview") {
      return { ok: true, message: null, shown: await preview(), keeps: true };
    }
    const message = missingWords([policy], words);
    if (message !== null) return { ok: false, message, shown: await preview() };
    if (policyId === undefined) {
      done(await addPolicy(ctx, { did, policy: { ...policy, origin: "owner" } }));
    }
    if (shownAs === undefined) {
      throw invalidRequest([{ path: "shownAs", message: "Open the rule again and repeat this." }]);
    }
    await editPolicy(ctx, { did, policyId, shownAs: new Date(shownAs), policy });
    done(policyId);
  },
);

interface Draft {
  did: string;
  policyId: string | undefined;
  policy: PolicyInput;
}

/** Previews the effect of a rule next to its form. */
async function previewDraft(ctx: Ctx, { did, policyId, policy }: Draft): Promise<EffectView> {
  const known = policyId === undefined ? null : await findPolicy(ctx, { did, policyId });
  if (policyId !== undefined && known === null) throw notFound("policy");
  const enabled = known?.enabled ?? true;
  const put = { ...policy, id: policyId ?? draftId, enabled, origin: "owner" as const };
  const effect = await effectOfPolicies(ctx, { did, change: { kind: "put", policy: put } });
  return effectView(effect, wordsToType(policy));
}

function done(policyId: string): never {
  revalidatePath("/dashboard", "layout");
  redirect(`${rulesAddress.href({ saved: policyId })}#${policyId}`);
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
    const missing = missingWords(templates[input.template].policies, input.words);
    if (missing !== null) return { ok: false, message: missing };
    await applyTemplate(ctx, { did, template: input.template });
    const message = "The template is in use. Your own rules stay.";
    return { ok: true, message, undo: { kind: "template", id: ctx.requestId } };
  }
  if ("undo" in input) {
    const undone = await undoSave(ctx, { did, policyId: input.undo });
    const message =
      undone === "removed" ? "Undone: the rule is gone." : "Undone: the rule is as it was.";
    return { ok: true, message };
  }
  const enabled = "on" in input;
  const missing = enabled && (await missingToSwitchOn(ctx, did, input));
  if (missing) return { ok: false, message: missing };
  await switchPolicy(ctx, { did, policyId: enabled ? input.on : input.off, enabled });
  return { ok: true, message: enabled ? "Switched on." : "Switched off: the rule has no effect." };
}

async function missingToSwitchOn(
  ctx: Ctx,
  did: string,
  { on, words }: { on: string; words?: string },
): Promise<string | null> {
  const policy = await findPolicy(ctx, { did, policyId: on });
  const message = policy === null ? null : missingWords([policy], words);
  // The switch of the list has no words: what it would open is shown first, and they are asked for there.
  if (message !== null && words === undefined) redirect(`${rulesAddress.href({ on })}#chosen`);
  return message;
}

/** Null where no words are asked for, or these are typed. */
function missingWords(rules: readonly BroadRule[], typed = ""): string | null {
  const [expected] = rules.flatMap((rule) => wordsToType(rule) ?? []);
  if (expected === undefined || typed.trim().toLowerCase() === expected) return null;
  return `Type “${expected}” to go on. Nothing was changed yet.`;
}
