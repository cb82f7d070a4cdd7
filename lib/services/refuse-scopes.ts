import { type ConsentState, consentRequired } from "@/lib/protocol/errors";
import type { Scope } from "@/lib/protocol/scope";
import { consentState } from "@/lib/rules/access";
import type { Decision, Reason } from "@/lib/rules/decide";
import type { Ctx } from "./context";
import type { OpenProfile } from "./profile-gate";
import { connectionOf, refusedScopes } from "./receipts/ask-owner";

type Refused = Decision & { scope: Scope };

/** Tells the caller what it lacks, and the owner which rule refused it. Protocol 9. */
export async function refuseScopes(
  ctx: Ctx,
  open: OpenProfile,
  refused: readonly Refused[],
): Promise<never> {
  const scopes = refused.map(({ scope }) => scope);
  const error = consentRequired({ scopes, state: await stateOf(ctx, open, refused) });
  await open.record({
    outcome: error.code,
    denied: scopes,
    reasons: reasonsOf(refused),
  });
  throw error;
}

export function reasonsOf(
  decided: readonly { scope: Scope; reason: Reason }[],
): Record<string, Reason> {
  return Object.fromEntries(decided.map(({ scope, reason }) => [scope, reason]));
}

async function stateOf(
  ctx: Ctx,
  { profile, facts }: OpenProfile,
  refused: readonly Refused[],
): Promise<ConsentState> {
  const asking = refused.filter(({ outcome }) => outcome === "consent_required");
  if (facts === null || asking.length === 0) return "denied";
  const question = { ctx, profileId: profile.id, agentDid: facts.agent.did, purpose: null };
  const rows = await ctx.db.$queryRaw<
    { scope: Scope }[]
  >`SELECT unnest(scopes) AS scope FROM "ConsentRequest"
     WHERE "profileId" = ${question.profileId} AND "agentDid" = ${question.agentDid} AND status = 'pending'
       AND "tokenId" = ${connectionOf(ctx.caller)}`;
  // A rule grants these for a purpose, whatever the owner answered about another one.
  const forPurpose = asking.some(({ reason }) => reason.rule === "needs_purpose");
  return consentState({
    askingScopes: asking.map(({ scope }) => scope),
    refused: forPurpose ? [] : await refusedScopes(ctx.db, question),
    waiting: rows.map(({ scope }) => scope),
  });
}
