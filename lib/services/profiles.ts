import type { Memory, Profile, ProfileMeta } from "@/lib/protocol/resources";
import type { Scope } from "@/lib/protocol/scope";
import { decideScopes, type ScopeDecision } from "@/lib/rules/decide-scope";
import { profileRecordsMax, type Revealed, reveal } from "@/lib/rules/reveal";
import { loadContent } from "./content";
import type { Ctx } from "./context";
import { decider, type OpenProfile, onProfile } from "./open-profile";
import { reasonsOf, refuseScopes } from "./refuse-scopes";

/** Spec, Endpoints 1. */
export async function getProfile(
  ctx: Ctx,
  { did, scopes }: { did: string; scopes?: readonly Scope[] },
): Promise<{ data: Profile; meta: ProfileMeta }> {
  return onProfile(ctx, { verb: "getProfile", did, scopes }, async (open) => {
    const refused = await refusedScopes(ctx, open, scopes);
    const denied = refused.map(({ scope }) => scope);
    const { profile } = open;
    const content = await loadContent(ctx.pool, {
      profileId: profile.id,
      common: profile.common,
      recordsPerCategoryMax: profileRecordsMax + 1,
    });
    const revealed = reveal({
      content,
      decideCategory: decider(open, "read"),
      within: scopes ?? null,
      recordsPerCategoryMax: profileRecordsMax,
    });
    const grounds = groundsOf(revealed);
    await open.record(ctx.pool, {
      granted: scopes?.filter((scope) => !denied.includes(scope)),
      denied,
      items: revealed.counts,
      ...grounds,
      reasons: { ...reasonsOf(refused), ...grounds.reasons },
    });
    const { profileType, version } = profile;
    const { common, memories } = revealed;
    return {
      data: { id: profile.did, profileType, version, common, memories },
      meta: {
        ...(denied.length > 0 ? { deniedScopes: denied } : {}),
        ...(revealed.truncated.length > 0 ? { truncated: revealed.truncated } : {}),
      },
    };
  });
}

/** Why each category was shown, and under which receipt. */
export function groundsOf({ shown }: Revealed<Memory>) {
  const reasons = Object.fromEntries(
    shown.map(({ category, decision }) => [category, decision.reason]),
  );
  const receiptId = shown.map(({ decision }) => decision.reason.receiptId).find(Boolean) ?? null;
  return { reasons, receiptId };
}

// A scope of which only a part is shown stands among the refused too; nothing at all is a refusal.
async function refusedScopes(
  ctx: Ctx,
  open: OpenProfile,
  scopes: readonly Scope[] | undefined,
): Promise<ScopeDecision[]> {
  if (open.facts === null || scopes === undefined) return [];
  const decisions = decideScopes(open.facts, { permission: "read", scopes });
  if (!decisions.some(({ hasGranted }) => hasGranted)) return refuseScopes(ctx, open, decisions);
  return decisions.filter(({ outcome }) => outcome !== "granted");
}
