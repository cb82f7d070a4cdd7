import type { Did } from "@/lib/protocol/did";
import { notFound } from "@/lib/protocol/errors";
import { withReceipt } from "@/lib/rules/effect/effect";
import { draftId, policiesAfter } from "@/lib/rules/effect/policy-change";
import { seeAsAgent } from "@/lib/services/access/lens";
import type { Ctx } from "@/lib/services/context";
import { conditionOf, effectOfPolicies } from "@/lib/services/policies/effect";
import { findPolicy } from "@/lib/services/policies/list";
import type { PolicyInput } from "@/lib/services/policies/policy-input";
import { counted } from "../../../../_components/words/list";
import { type LensView, lensView } from "../../../lens/lens-view";
import { type EffectView, effectView, whenAsked } from "./effect-view";

/** Previews the effect of a rule next to its form. */
export interface DraftPreview {
  effect: EffectView;
  lens: { agentDid: Did; view: LensView; summary: string } | null;
}

interface Draft {
  did: string;
  policyId: string | undefined;
  policy: PolicyInput;
  /** Through whose eyes the profile is shown too. */
  lookAs: Did | "" | undefined;
}

export async function previewDraft(ctx: Ctx, draft: Draft): Promise<DraftPreview> {
  const { did, policyId, policy, lookAs } = draft;
  const known = policyId === undefined ? null : await findPolicy(ctx, { did, policyId });
  if (policyId !== undefined && known === null) throw notFound("policy");
  const enabled = known?.enabled ?? true;
  const put = { ...policy, id: policyId ?? draftId, enabled, origin: "owner" as const };
  const change = { kind: "put", policy: put } as const;
  const declared = conditionOf(put);
  const [effect, lens] = await Promise.all([
    effectOfPolicies(ctx, { did, change }),
    lookAs &&
      seeAsAgent(ctx, {
        did,
        agentDid: lookAs,
        imagine: (facts) => {
          const next = { ...facts, policies: policiesAfter(facts.policies, change) };
          return declared ? withReceipt(next, declared) : next;
        },
      }),
  ]);
  if (!lens || !lookAs) return { effect: effectView(effect), lens: null };
  const view = lensView(lens, null);
  const said = summary(view.added, lens.lost.length);
  const when = declared && `${whenAsked(policy.purposes[0] ?? null)}: `;
  return {
    effect: effectView(effect),
    lens: { agentDid: lookAs, view, summary: `${when ?? ""}${said}` },
  };
}

function summary(added: number, lost: number): string {
  if (added + lost === 0) return "The same as now.";
  const parts = [
    added > 0 && `${counted(added, "item")} that it cannot see now`,
    lost > 0 && `without ${counted(lost, "item")} that it sees now`,
  ].filter((part) => part !== false);
  return `${parts.join(", ").replace(/^w/, "W")}.`;
}
