import { consentRequired } from "@/lib/protocol/errors";
import type { Memory, Profile, ProfileMeta } from "@/lib/protocol/resources";
import type { Scope } from "@/lib/protocol/scope";
import { decideScopes } from "@/lib/rules/decide-scope";
import { profileRecordsMax, type Revealed, reveal } from "@/lib/rules/reveal";
import { loadContent } from "./content";
import type { Ctx } from "./context";
import { decider, type OpenProfile, onProfile } from "./open-profile";

/** Spec, Endpoints 1. */
export async function getProfile(
  ctx: Ctx,
  { did, scopes }: { did: string; scopes?: readonly Scope[] },
): Promise<{ data: Profile; meta: ProfileMeta }> {
  return onProfile(ctx, { verb: "getProfile", did, scopes }, async (open) => {
    const denied = deniedScopes(open, scopes);
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
    await open.record(ctx.pool, {
      granted: scopes?.filter((scope) => !denied.includes(scope)),
      denied,
      items: revealed.counts,
      ...groundsOf(revealed),
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

// A scope of which only a part is shown stands among the denied too; nothing at all is a refusal.
function deniedScopes({ facts }: OpenProfile, scopes: readonly Scope[] | undefined): Scope[] {
  if (facts === null || scopes === undefined) return [];
  const decisions = decideScopes(facts, { permission: "read", scopes });
  if (!decisions.some(({ hasGranted }) => hasGranted)) throw consentRequired({ scopes });
  return decisions.filter(({ outcome }) => outcome !== "granted").map(({ scope }) => scope);
}
