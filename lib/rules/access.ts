import type { ConsentState } from "@/lib/protocol/errors";
import { covers, overlaps, type Scope } from "@/lib/protocol/scope";
import type { Reason } from "./decide";
import { decideScopes, deniedScopesOf, type ScopeDecision } from "./decide-scope";
import type { Facts } from "./facts";

export type AccessAnswer = {
  grantedScopes: Scope[];
  /** Scopes that are not granted, or cut out of granted ones; the specification's receipt has no third kind. */
  deniedScopes: Scope[];
  /** The denied scopes that the owner could still grant. */
  askingScopes: Scope[];
  expiresAt: Date;
  /** Why each is granted or denied. */
  reasons: Record<Scope, Reason>;
};

// Protocol 6: a receipt lives 24 hours.
export const receiptSecondsMax = 86_400;

export const consentChoices = ["once", "1d", "7d", "30d", "until_revoked"] as const;
export type ConsentChoice = (typeof consentChoices)[number];
/** For how long a client may be connected: as long as a token lives, at most. */
export const connectionChoices = ["1d", "7d", "30d", "1y"] as const;
export type ConnectionChoice = (typeof connectionChoices)[number];

/** Protocol 6, Request Access: computes the receipt for these scopes. */
export function answerAccess(facts: Facts, scopes: readonly Scope[]): AccessAnswer {
  const decisions = decideScopes(facts, { permission: "read", scopes });
  const denied = deniedScopesOf(facts, decisions);
  return {
    grantedScopes: scopesOf(decisions, ({ outcome }) => outcome === "granted"),
    deniedScopes: denied.map(({ scope }) => scope),
    askingScopes: scopesOf(decisions, ({ outcome }) => outcome === "consent_required"),
    expiresAt: receiptExpiresAt(facts, decisions),
    reasons: Object.fromEntries(
      [...denied, ...decisions].map(({ scope, reason }) => [scope, reason]),
    ),
  };
}

/** Protocol 6: does not ask again for what the owner refused, unless a rule grants it now. */
export function withRefusals(answer: AccessAnswer, refused: readonly Scope[]): AccessAnswer {
  const isRefused = (scope: Scope) => refused.some((one) => refuses(one, scope));
  const left = answer.askingScopes.filter(isRefused);
  return {
    ...answer,
    askingScopes: answer.askingScopes.filter((scope) => !isRefused(scope)),
    reasons: {
      ...answer.reasons,
      ...Object.fromEntries(left.map((scope) => [scope, refusedReason])),
    },
  };
}

interface Asking {
  /** Scopes that no rule grants and none denies. */
  askingScopes: readonly Scope[];
  /** Scopes that the owner left out of earlier answers. */
  refused: readonly Scope[];
  /** Scopes of the requests that wait for the owner. */
  waiting: readonly Scope[];
}

/**
 * Protocol 6: what the agent can do about scopes that are not granted. Waiting takes precedence over asking,
 * and asking over denied.
 */
export function consentState({ askingScopes, refused, waiting }: Asking): ConsentState {
  if (askingScopes.some((scope) => waiting.some((one) => overlaps(one, scope)))) return "waiting";
  const isRefused = (scope: Scope) => refused.some((one) => refuses(one, scope));
  return askingScopes.every(isRefused) ? "denied" : "ask";
}

const refusedReason = { rule: "refused", policyId: null, receiptId: null } as const;

// A refusal covers the scopes below it, but refusing everything at once says nothing about each part.
function refuses(refused: Scope, scope: Scope): boolean {
  return refused === "prof:*" ? scope === refused : covers(refused, scope);
}

/** Protocol 6: how long an answer's omissions count as refused. */
export function refusedUntil(now: Date): Date {
  return after(now, 30 * 86_400);
}

/** Protocol 6, Consent: the requested scopes that an answer omits. */
export function leftOut(requested: readonly Scope[], granted: readonly Scope[]): Scope[] {
  return requested.filter((scope) => !granted.some((one) => covers(one, scope)));
}

/** Protocol 6, Consent: once is one receipt and the reads of 15 minutes under it. */
const consentSeconds = {
  ...{ once: 15 * 60, "1d": 86_400, "7d": 7 * 86_400, "30d": 30 * 86_400, "1y": 365 * 86_400 },
} as const;

/** Protocol 6, Consent: when the grant ends; null is until revoked. */
export function consentExpiresAt(choice: ConsentChoice, now: Date): Date | null {
  return choice === "until_revoked" ? null : after(now, consentSeconds[choice]);
}

export function connectionExpiresAt(choice: ConnectionChoice, now: Date): Date {
  return after(now, consentSeconds[choice]);
}

/** When a receipt given with the grant ends. */
export function grantedReceiptExpiresAt(grantExpiresAt: Date | null, now: Date): Date {
  const longest = after(now, receiptSecondsMax);
  return grantExpiresAt !== null && grantExpiresAt < longest ? grantExpiresAt : longest;
}

// Shorter where a policy that grants says so, and never past its own end.
function receiptExpiresAt({ policies, now }: Facts, decisions: ScopeDecision[]): Date {
  const granting = new Set(
    decisions.flatMap(({ outcome, reason }) => (outcome === "granted" ? [reason.policyId] : [])),
  );
  const ends = policies
    .filter(({ id }) => granting.has(id))
    .flatMap(({ receiptSeconds, expiresAt }) => [
      ...(receiptSeconds === null ? [] : [after(now, receiptSeconds)]),
      ...(expiresAt === null ? [] : [expiresAt]),
    ]);
  const times = [after(now, receiptSecondsMax), ...ends].map((end) => end.getTime());
  return new Date(Math.min(...times));
}

function scopesOf(decisions: ScopeDecision[], isMeant: (one: ScopeDecision) => boolean): Scope[] {
  return decisions.filter(isMeant).map(({ scope }) => scope);
}

function after(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1_000);
}
