import {
  type Category,
  coveringKeys,
  covers,
  deniedScopesMax,
  isCategory,
  type Scope,
  sensitiveCategories,
} from "@/lib/protocol/scope";
import {
  countingPolicies,
  type DecideCategory,
  type Decision,
  decideEach,
  type Reason,
} from "./decide";
import type { Facts, Permission } from "./facts";

export type ScopeDecision = Decision & {
  scope: Scope;
  /** Something in the scope is granted, even if the scope as a whole is not. */
  hasGranted: boolean;
  /** Denied categories that are cut out of a granted scope, with everything below them. */
  except: readonly Category[];
};

type Input = {
  permission: Permission;
  scopes: readonly Scope[];
  /** For callers that have it: indexes the rules once. */
  decideCategory?: DecideCategory;
};

/**
 * Protocol 5: decides a scope at its base and at each category below that a rule names; others cannot differ.
 * Granted if the base is and nothing below needs consent; denied parts are cut out.
 */
export function decideScopes(
  facts: Facts,
  { permission, scopes, decideCategory = decideEach(facts, permission) }: Input,
): ScopeDecision[] {
  const named = namedCategories(facts).map((category) => ({
    category,
    ...decideCategory(category),
  }));
  return scopes.map((scope) => {
    const base = baseOf(scope);
    const own = decideCategory(base);
    const below = named.filter(({ category }) => category !== base && covers(scope, category));
    const denied = below.filter(({ outcome }) => outcome === "denied");
    const asking = below.find(({ outcome }) => outcome === "consent_required");
    const { outcome, reason } = own.outcome === "granted" && asking ? asking : own;
    return {
      scope,
      outcome,
      reason,
      hasGranted: [own, ...below].some((decision) => decision.outcome === "granted"),
      except: outcome === "granted" ? topmost(denied) : [],
    };
  });
}

export type DeniedScope = { scope: Scope; reason: Reason };

/**
 * Returns the scopes that an answer names as denied: those not granted as a whole, then those cut out of
 * granted ones, as their rule spells them.
 */
export function deniedScopesOf(facts: Facts, decisions: readonly ScopeDecision[]): DeniedScope[] {
  const refused = decisions.filter(({ outcome }) => outcome !== "granted");
  const isNamed = (cut: Scope) => refused.some(({ scope }) => covers(scope, cut));
  const denies = new Map<Category, DeniedScope>();
  for (const { id: policyId, deny } of countingPolicies(facts)) {
    for (const scope of deny) {
      if (denies.has(baseOf(scope))) continue;
      denies.set(baseOf(scope), { scope, reason: { rule: "deny", policyId, receiptId: null } });
    }
  }
  const cuts = [...new Set(decisions.flatMap(({ except }) => except))].toSorted();
  const cutOut = cuts.filter((cut) => !isNamed(cut)).flatMap((cut) => denies.get(cut) ?? []);
  return [...refused.map(({ scope, reason }) => ({ scope, reason })), ...cutOut].slice(
    0,
    deniedScopesMax,
  );
}

function topmost(denied: readonly { category: Category }[]): Category[] {
  const categories = new Set(denied.map(({ category }) => category));
  const isBelow = (category: Category) =>
    coveringKeys(category).some((key) => key !== category && categories.has(key));
  return [...categories].filter((category) => !isBelow(category));
}

// A category is covered by just those scopes that cover the nearest named category above it.
function namedCategories(facts: Facts): Category[] {
  const { agent, receipts, token } = facts;
  const scopes = [
    ...countingPolicies(facts).flatMap(({ allow, deny }) => [...allow, ...deny]),
    ...agent.ceiling,
    ...receipts.flatMap(({ grantedScopes }) => grantedScopes),
    ...(token?.scopes ?? []),
    ...sensitiveCategories,
  ];
  return [...new Set(scopes.map(baseOf))].filter(isCategory);
}

/** The category that a scope begins at; `prof:*` is a base of its own, for everything that no rule names. */
export function baseOf(scope: Scope): Category {
  return scope.endsWith(".*") ? scope.slice(0, -2) : scope;
}
