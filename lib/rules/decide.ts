import type { Category } from "@/lib/protocol/scope";
import { matchesAgent } from "./agent-pattern";
import type { Facts, Permission, Policy } from "./facts";
import { first, firstReceipt, indexRules, type ScopeRules, strongest } from "./index/rule-index";

/** Each rule that can decide, and its outcome. */
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
  client_scopes: "consent_required",
  no_allow: "consent_required",
} as const;

export type Rule = keyof typeof outcomes;
export type Outcome = (typeof outcomes)[Rule];
export type Reason = { rule: Rule; policyId: string | null; receiptId: string | null };
export type Decision = { outcome: Outcome; reason: Reason };
export type DecideCategory = {
  (category: Category): Decision;
  /** The segments below it that rules name; null if no rule does, and everything below has the same decision. */
  namedIn: (category: Category) => ReadonlySet<string> | null;
};

const ownerDecision = settle({ rule: "owner" });

/** Protocol 4: an owner sees everything. */
export const decideAsOwner: DecideCategory = Object.assign(() => ownerDecision, {
  namedIn: () => null,
});

/** Protocol 5, whole: may this agent read, or propose in, this category? */
export function decide(
  facts: Facts,
  { permission, category }: { permission: Permission; category: Category },
): Decision {
  return decideEach(facts, permission)(category);
}

/** Decides many categories of one profile, each once, with one lookup per segment. */
export function decideEach(facts: Facts, permission: Permission): DecideCategory {
  const policies = countingPolicies(facts);
  const { nearestKey, rulesOver, namedIn } = indexRules({ facts, policies, permission });
  const made = new Map<string, Decision>();
  const decideCategory = (category: Category) => {
    const key = nearestKey(category);
    const decision = made.get(key) ?? weigh(rulesOver(key), { facts, permission });
    made.set(key, decision);
    return decision;
  };
  return Object.assign(decideCategory, { namedIn });
}

/** Protocol 5, step 1. */
export function countingPolicies({ policies, agent, now }: Facts): Policy[] {
  return policies.filter(
    ({ enabled, expiresAt, agentPattern }) =>
      enabled && (expiresAt === null || expiresAt > now) && matchesAgent(agentPattern, agent.did),
  );
}

type Question = { facts: Facts; permission: Permission };

// Protocol 5, steps 2 to 4. A deny applies to reading and proposing, whatever conditions its policy has for its
// allow.
function weigh(rules: readonly ScopeRules[], question: Question): Decision {
  const denying = first(rules.map(({ deny }) => deny));
  if (denying) return settle({ rule: "deny", policyId: denying.policyId });
  const cap = capOn(rules, question);
  return cap ? settle({ rule: cap }) : weighAllows(rules, question.facts);
}

// Limits that no policy can lift: asking the owner would be in vain, but of a client they may extend what it has.
function capOn(rules: readonly ScopeRules[], { facts, permission }: Question): Rule | null {
  const { token } = facts;
  if (!rules.some(({ inCeiling }) => inCeiling)) return "ceiling";
  if (token === null) return null;
  if (!token.permissions.includes(permission)) return "token_permissions";
  if (rules.some(({ inToken }) => inToken)) return null;
  if (!token.ofClient) return "token_scopes";
  // What it proposes waits for the owner, so its scopes limit what it reads alone.
  return permission === "propose" ? null : "client_scopes";
}

function weighAllows(rules: readonly ScopeRules[], { receipts }: Facts): Decision {
  const best = strongest(rules.map(({ allow }) => allow));
  if (best && outcomes[best.rule] === "granted") return settle(best);
  const held = rules.reduce((all, one) => all | one.receipts, 0n);
  const grounded = first(
    rules.map(({ grounds, conditional }) => {
      if ((grounds & held) === 0n) return null;
      return conditional.find((one) => (one.receipts & held) !== 0n) ?? null;
    }),
  );
  if (!grounded) return settle(best ?? { rule: "no_allow" });
  const receiptId = receipts[firstReceipt(grounded.receipts & held)]?.id;
  return settle({ rule: "allow_for_purpose", policyId: grounded.policyId, receiptId });
}

function settle({
  rule,
  policyId = null,
  receiptId = null,
}: Pick<Reason, "rule"> & Partial<Reason>): Decision {
  return { outcome: outcomes[rule], reason: { rule, policyId, receiptId } };
}
