import type { Did } from "@/lib/protocol/did";
import { covers, type Scope, scopesPerRequestMax } from "@/lib/protocol/scope";
import { receiptSecondsMax } from "./access";
import { decideScopes } from "./decide-scope";
import type { Facts, TokenReach } from "./facts";
import type { PolicyDraft } from "./templates";

export type ConsentInput = { agentDid: Did; purposeType: string; retention: string | null };

type Given = { scopes: readonly Scope[]; expiresAt: Date | null };

/** Protocol 6, Consent: a policy for exactly that agent, and for the purpose it declared. */
export function consentPolicy(input: ConsentInput, { scopes, expiresAt }: Given): PolicyDraft {
  return {
    agentPattern: input.agentDid,
    verifiedOnly: false,
    allow: scopes,
    deny: [],
    permissions: ["read"],
    purposes: [input.purposeType],
    maxRetention: input.retention,
    receiptSeconds: null,
    expiresAt,
    origin: "consent",
  };
}

/** Returns the facts as they would be after the owner consents: with the policy and its receipt. */
export function factsAfterConsent(
  facts: Facts,
  { consent, scopes }: { consent: ConsentInput; scopes: readonly Scope[] },
): Facts {
  if (scopes.length === 0) return facts;
  const { now } = facts;
  const { agentDid, purposeType, retention } = consent;
  const expiresAt = new Date(now.getTime() + receiptSecondsMax * 1_000);
  const policy = { ...consentPolicy(consent, { scopes, expiresAt }), id: imagined, enabled: true };
  const receipt = { agentDid, purposeType, retention, grantedScopes: scopes, expiresAt };
  return {
    ...facts,
    token: facts.token?.ofClient ? extended(facts.token, scopes) : facts.token,
    policies: [...facts.policies, policy],
    receipts: [...facts.receipts, { ...receipt, id: imagined, grantedAt: now, revokedAt: null }],
  };
}

/** What a connected client may ask for from then on. */
export function extended(reach: TokenReach, scopes: readonly Scope[]): TokenReach {
  const added = scopes.filter((scope) => !reach.scopes.some((one) => covers(one, scope)));
  return { ...reach, scopes: [...reach.scopes, ...added].slice(0, scopesPerRequestMax) };
}

/** Returns the scopes of which consent opens something, now or later; rules or the ceiling keep the others closed. */
export function openedByConsent(
  facts: Facts,
  consented: { consent: ConsentInput; scopes: readonly Scope[] },
): Scope[] {
  return openedWith(factsAfterConsent(facts, consented), consented.scopes);
}

/** Returns the scopes of which these facts open something, now or later. */
export function openedWith(facts: Facts, scopes: readonly Scope[]): Scope[] {
  const decisions = decideScopes(facts, { permission: "read", scopes });
  return decisions.filter(({ hasGranted }) => hasGranted).map(({ scope }) => scope);
}

/** The id of something that does not exist yet. */
const imagined = "imagined";

export const tokenDaysDefault = 30;
export const tokenDaysMax = 365;
/** How many a profile may have at a time that are neither expired nor revoked. */
export const activeTokensMax = 100;

/** Protocol 3: issuing a token is consent for its scopes, so a policy says the same. */
export function tokenPolicy(
  agentDid: Did,
  { scopes, permissions, expiresAt }: TokenReach & { expiresAt: Date },
): PolicyDraft {
  return {
    agentPattern: agentDid,
    verifiedOnly: false,
    allow: scopes,
    deny: [],
    permissions,
    purposes: [],
    maxRetention: null,
    receiptSeconds: null,
    expiresAt,
    origin: "token",
  };
}

/** Returns the facts for the holder of a token of this reach: with its policy, within its scopes. */
export function factsWithToken(facts: Facts, reach: TokenReach): Facts {
  const expiresAt = new Date(facts.now.getTime() + tokenDaysMax * 24 * 60 * 60_000);
  const policy = tokenPolicy(facts.agent.did, { ...reach, expiresAt });
  return {
    ...facts,
    token: reach,
    policies: [...facts.policies, { ...policy, id: imagined, enabled: true }],
  };
}
