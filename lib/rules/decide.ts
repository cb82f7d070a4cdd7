import { isRetentionWithin } from "@/lib/protocol/resources";
import { type Category, covers, type Scope, sensitiveCategories } from "@/lib/protocol/scope";
import { matchesAgent } from "./agent-pattern";
import type { Facts, Permission, Policy, Receipt } from "./facts";

/** Each rule that can settle a decision, and what it settles. */
const outcomes = {
  owner: "granted",
  allow: "granted",
  allow_for_purpose: "granted",
  deny: "denied",
  refused: "denied",
  ceiling: "denied",
  token_scopes: "denied",
  token_permissions: "denied",
  needs_purpose: "consent_required",
  needs_verification: "consent_required",
  no_allow: "consent_required",
} as const;

export type Rule = keyof typeof outcomes;
export type Outcome = (typeof outcomes)[Rule];
export type Reason = { rule: Rule; policyId: string | null; receiptId: string | null };
export type Decision = { outcome: Outcome; reason: Reason };
export type DecideCategory = (category: Category) => Decision;

/** Decisions 4: an owner sees all that is theirs. */
export const ownerDecision: Decision = settle({ rule: "owner" });

/** Decisions 5, whole: may this agent read, or propose in, this category? */
export function decide(
  facts: Facts,
  { permission, category }: { permission: Permission; category: Category },
): Decision {
  return decideEach(facts, permission)(category);
}

/** The same decision for many categories of one profile; each is made once. */
export function decideEach(facts: Facts, permission: Permission): DecideCategory {
  const policies = countingPolicies(facts);
  const made = new Map<Category, Decision>();
  return (category) => {
    const decision = made.get(category) ?? weigh({ facts, policies, permission, category });
    made.set(category, decision);
    return decision;
  };
}

/** Decisions 5, step 1. */
export function countingPolicies({ policies, agent, now }: Facts): Policy[] {
  return policies.filter(
    ({ enabled, expiresAt, agentPattern }) =>
      enabled && (expiresAt === null || expiresAt > now) && matchesAgent(agentPattern, agent.did),
  );
}

export function isLiveReceipt(receipt: Receipt, now: Date): boolean {
  return receipt.revokedAt === null && receipt.expiresAt > now;
}

type Question = { facts: Facts; policies: Policy[]; permission: Permission; category: Category };

// Decisions 5, steps 2 to 4. A deny takes away reading and proposing alike, whatever conditions
// its policy sets for what it allows.
function weigh(question: Question): Decision {
  const { policies, category } = question;
  const denying = policies.find(({ deny }) => anyCovers(deny, category));
  if (denying) return settle({ rule: "deny", policyId: denying.id });
  const cap = capOn(question);
  return cap ? settle({ rule: cap }) : weighAllows(question);
}

// What no policy can give, so that asking the owner for consent would be in vain.
function capOn({ facts, permission, category }: Question): Rule | null {
  const { agent, token } = facts;
  if (!anyCovers(agent.ceiling, category)) return "ceiling";
  if (token && !token.permissions.includes(permission)) return "token_permissions";
  if (token && !anyCovers(token.scopes, category)) return "token_scopes";
  return null;
}

function weighAllows({ facts, policies, permission, category }: Question): Decision {
  const allowing = policies.filter(
    (policy) => policy.permissions.includes(permission) && opens(policy, category),
  );
  const open = allowing.filter(({ verifiedOnly }) => !verifiedOnly || facts.agent.verified);
  const free = open.find((policy) => !needsPurpose(policy));
  if (free) return settle({ rule: "allow", policyId: free.id });
  const [first] = open.flatMap((policy) => grantsForPurpose({ facts, policy, category }));
  if (first) return first;
  const [nearest] = open;
  if (nearest) return settle({ rule: "needs_purpose", policyId: nearest.id });
  const [barred] = allowing;
  if (barred) return settle({ rule: "needs_verification", policyId: barred.id });
  return settle({ rule: "no_allow" });
}

// Decisions 5: under Balanced, sensitive categories ask; a deny in it would forbid them for good.
// So a template's `prof:*` stops short of them, and only an owner's own reaches them.
function opens({ origin, allow }: Policy, category: Category): boolean {
  const holdsBack = origin === "template" && anyCovers(sensitiveCategories, category);
  return allow.some((scope) => covers(scope, category) && !(holdsBack && scope === "prof:*"));
}

// How long data is kept is only known of a purpose: a limit on it asks for one too.
function needsPurpose({ purposes, maxRetention }: Policy): boolean {
  return purposes.length > 0 || maxRetention !== null;
}

type Claim = { facts: Facts; policy: Policy; category: Category };

// A request for access stands on the purpose it declares, not on receipts for others.
function grantsForPurpose({ facts, policy, category }: Claim): Decision[] {
  const rule = "allow_for_purpose";
  if (facts.purpose) {
    const { type, retention } = facts.purpose;
    return isFor({ policy, type, retention }) ? [settle({ rule, policyId: policy.id })] : [];
  }
  return facts.receipts
    .filter((receipt) => isGround({ facts, policy, category }, receipt))
    .map((receipt) => settle({ rule, policyId: policy.id, receiptId: receipt.id }));
}

function isGround({ facts: { agent, now }, policy, category }: Claim, receipt: Receipt): boolean {
  const { purposeType, retention, grantedAt } = receipt;
  const ageMs = now.getTime() - grantedAt.getTime();
  return (
    receipt.agentDid === agent.did &&
    isLiveReceipt(receipt, now) &&
    (policy.receiptSeconds === null || ageMs < policy.receiptSeconds * 1_000) &&
    anyCovers(receipt.grantedScopes, category) &&
    isFor({ policy, type: purposeType, retention: retention ?? undefined })
  );
}

type Use = { policy: Policy; type: string; retention: string | undefined };

function isFor({ policy: { purposes, maxRetention }, type, retention }: Use): boolean {
  const isPurpose = purposes.length === 0 || purposes.includes(type);
  return isPurpose && (maxRetention === null || isRetentionWithin(retention, maxRetention));
}

function anyCovers(scopes: readonly Scope[], category: Category): boolean {
  return scopes.some((scope) => covers(scope, category));
}

function settle({
  rule,
  policyId = null,
  receiptId = null,
}: Pick<Reason, "rule"> & Partial<Reason>): Decision {
  return { outcome: outcomes[rule], reason: { rule, policyId, receiptId } };
}
