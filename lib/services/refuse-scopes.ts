import { type ConsentState, consentRequired } from "@/lib/protocol/errors";
import { overlaps, type Scope } from "@/lib/protocol/scope";
import type { Decision, Reason } from "@/lib/rules/decide";
import type { Ctx } from "./context";
import type { OpenProfile } from "./open-profile";

type Refused = Decision & { scope: Scope };

/** The caller learns what it lacks, and the owner which rule it was. Decisions 9. */
export async function refuseScopes(
  ctx: Ctx,
  open: OpenProfile,
  refused: readonly Refused[],
): Promise<never> {
  const scopes = refused.map(({ scope }) => scope);
  const error = consentRequired({ scopes, state: await stateOf(ctx, open, refused) });
  await open.record(ctx.pool, {
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

// Decisions 6: of mixed scopes one that waits says more than one that can be asked for, and that more than a denied one.
async function stateOf(
  ctx: Ctx,
  { profile, facts }: OpenProfile,
  refused: readonly Refused[],
): Promise<ConsentState> {
  const asking = refused.filter(({ outcome }) => outcome !== "denied");
  if (asking.length === 0) return "denied";
  const { rows } = await ctx.pool.query<{ scope: Scope }>(
    `SELECT unnest(scopes) AS scope FROM "ConsentRequest"
     WHERE "profileId" = $1 AND "agentDid" = $2 AND status = 'pending'`,
    [profile.id, facts?.agent.did],
  );
  const waits = asking.some(({ scope }) => rows.some((waiting) => overlaps(waiting.scope, scope)));
  return waits ? "waiting" : "ask";
}
