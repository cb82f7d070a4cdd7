import type { ProfileMeta } from "@/lib/protocol/answers/answer-meta";
import type { Memory, Profile } from "@/lib/protocol/answers/profile";
import type { Category, Scope } from "@/lib/protocol/scope";
import type { DecideCategory } from "@/lib/rules/decide";
import { type DeniedScope, decideScopes, deniedScopesOf } from "@/lib/rules/decide-scope";
import { type Revealed, reveal } from "@/lib/rules/reveal";
import { knownContent, readableIn } from "./content";
import type { Ctx } from "./context";
import { decider, type OpenProfile, withProfile } from "./profile-gate";
import { reasonsOf, refuseScopes } from "./refuse-scopes";

/** Spec, Endpoints 1. */
export async function getProfile(
  ctx: Ctx,
  { did, scopes }: { did: string; scopes?: readonly Scope[] },
): Promise<{ data: Profile; meta: ProfileMeta }> {
  return withProfile(ctx, { verb: "getProfile", did, scopes }, async (open) => {
    const decideCategory = decider(open, "read");
    const refused = await refusedScopes(ctx, open, { scopes, decideCategory });
    const denied = refused.map(({ scope }) => scope);
    const { profile } = open;
    const within = scopes ?? null;
    const readable = readableIn({ categories: profile.categories ?? [], decideCategory, within });
    const { content, truncated } = await knownContent(ctx, { profile, readable });
    const revealed = reveal({ content, decideCategory, within });
    const grounds = groundsOf(revealed);
    await open.record({
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
      meta: partsMeta({ denied, truncated }),
    };
  });
}

/** Returns what an answer leaves out; nothing if it is complete. */
export function partsMeta(parts: { denied: Scope[]; truncated: Category[] }): ProfileMeta {
  const { denied, truncated } = parts;
  return {
    ...(denied.length > 0 ? { deniedScopes: denied } : {}),
    ...(truncated.length > 0 ? { truncated } : {}),
  };
}

/** Why each category was shown, and under which receipt. */
export function groundsOf({ shown }: Revealed<Memory>) {
  const reasons = Object.fromEntries(
    shown.map(({ category, decision }) => [category, decision.reason]),
  );
  const receiptId = shown.map(({ decision }) => decision.reason.receiptId).find(Boolean) ?? null;
  return { reasons, receiptId };
}

/**
 * Returns what an answer about these scopes names as denied: the scope, or what is cut out of a granted one.
 * Throws if nothing in them may be read.
 */
export async function refusedScopes(
  ctx: Ctx,
  open: OpenProfile,
  { scopes, decideCategory }: { scopes?: readonly Scope[]; decideCategory: DecideCategory },
): Promise<DeniedScope[]> {
  if (open.facts === null || scopes === undefined) return [];
  const decisions = decideScopes(open.facts, { permission: "read", scopes, decideCategory });
  if (!decisions.some(({ hasGranted }) => hasGranted)) return refuseScopes(ctx, open, decisions);
  return deniedScopesOf(open.facts, decisions);
}
