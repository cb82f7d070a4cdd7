import { consentRequired } from "@/lib/protocol/errors";
import type { Reason } from "@/lib/rules/decide";
import type { Ctx } from "./context";
import type { OpenProfile } from "./open-profile";

interface Refused {
  scope: string;
  reason: Reason;
}

/** The caller learns what it lacks, and the owner which rule it was. Decisions 9. */
export async function refuseScopes(
  ctx: Ctx,
  open: OpenProfile,
  refused: readonly Refused[],
): Promise<never> {
  const scopes = refused.map(({ scope }) => scope);
  const error = consentRequired({ scopes });
  await open.record(ctx.pool, {
    outcome: error.code,
    denied: scopes,
    reasons: reasonsOf(refused),
  });
  throw error;
}

export function reasonsOf(decided: readonly Refused[]): Record<string, Reason> {
  return Object.fromEntries(decided.map(({ scope, reason }) => [scope, reason]));
}
