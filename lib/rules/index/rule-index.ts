import { isRetentionWithin } from "@/lib/protocol/resources";
import {
  type Category,
  coveringKeys,
  type Scope,
  scopeKey,
  sensitiveCategories,
} from "@/lib/protocol/scope";
import type { Facts, Permission, Policy, Receipt } from "../facts";

// All rules by the scopes that they name, so that a decision reads only those that cover its category.

/** What a policy's allow means for this caller, strongest first. */
const strengths = ["allow", "allow_for_purpose", "needs_purpose", "needs_verification"] as const;

interface Ranked {
  policyId: string;
  /** Index of the policy: among equals the first is the reason. */
  place: number;
}

export interface Allow extends Ranked {
  rule: (typeof strengths)[number];
  /** A bit per receipt, by its index in the facts, under which the policy grants. */
  receipts: bigint;
}

/** The rules for one scope: the first deny, and the strongest allow. */
export interface ScopeRules {
  deny: Ranked | null;
  allow: Allow | null;
  /** Allows that grant under a receipt, in the order of their policies, and all those receipts. */
  conditional: Allow[];
  grounds: bigint;
  /** A bit per receipt that grants this scope. */
  receipts: bigint;
  inCeiling: boolean;
  inToken: boolean;
}

type Indexed = { facts: Facts; policies: readonly Policy[]; permission: Permission };

export interface RuleIndex {
  /** The nearest key above a category that a rule names: all categories with the same one fare alike. */
  nearestKey: (category: Category) => string;
  /** The rules of every scope that covers what has this nearest key. */
  rulesOver: (key: string) => ScopeRules[];
  /** The segments below a category that rules name; null if no rule does. */
  namedIn: (category: Category) => ReadonlySet<string> | null;
}

export function indexRules({ facts, policies, permission }: Indexed): RuleIndex {
  const byKey = new Map<string, ScopeRules>();
  const at = (key: string): ScopeRules => {
    const rules = byKey.get(key) ?? noRules();
    byKey.set(key, rules);
    return rules;
  };
  const each = (scopes: readonly Scope[]) => scopes.map((scope) => at(scopeKey(scope)));
  for (const rules of each(facts.agent.ceiling)) rules.inCeiling = true;
  for (const rules of each(facts.token?.scopes ?? [])) rules.inToken = true;
  for (const [place, { grantedScopes }] of facts.receipts.entries()) {
    for (const rules of each(grantedScopes)) rules.receipts |= bit(place);
  }
  for (const [place, policy] of policies.entries()) {
    for (const rules of each(policy.deny)) rules.deny ??= { policyId: policy.id, place };
    if (!policy.permissions.includes(permission)) continue;
    const allow: Allow = { policyId: policy.id, place, ...claimOf(facts, policy) };
    for (const scope of policy.allow) {
      const rules = at(allowKey(policy, scope));
      rules.allow = strongest([rules.allow, allow]);
      if (allow.receipts === 0n) continue;
      rules.conditional.push(allow);
      rules.grounds |= allow.receipts;
    }
  }
  // Templates end at the sensitive categories, whether a rule names them or not.
  each(sensitiveCategories);
  let sorted: string[] | undefined;
  return {
    nearestKey: (category) => {
      // For each member of each profile that is read, so without a list of all keys.
      let key = category;
      for (let end = key.length; end > 0; end = key.lastIndexOf(".")) {
        key = key.slice(0, end);
        if (byKey.has(key)) return key;
      }
      return "prof:*";
    },
    rulesOver: (key) => {
      const over: ScopeRules[] = [];
      const add = (one: string) => {
        const rules = byKey.get(one);
        if (rules !== undefined) over.push(rules);
      };
      const keys = coveringKeys(key);
      for (const one of keys) add(one);
      if (!keys.some((one) => sensitiveCategories.includes(one))) add(templateKey);
      return over;
    },
    namedIn: (category) => {
      sorted ??= [...byKey.keys()].sort();
      return segmentsBelow(category, sorted);
    },
  };
}

// Categories below a key are adjacent in the sorted list; a set per category would take ten times as long.
function segmentsBelow(category: Category, sorted: readonly string[]): Set<string> | null {
  const prefix = `${category}.`;
  const found = new Set<string>();
  for (let at = firstFrom(sorted, prefix); sorted[at]?.startsWith(prefix); at++) {
    const [segment = ""] = (sorted[at] ?? "").slice(prefix.length).split(".", 1);
    found.add(segment);
  }
  return found.size > 0 ? found : null;
}

/** Index of the first that is not before this text. */
function firstFrom(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? "") < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The allow that is given as the reason. */
export function strongest(allows: readonly (Allow | null)[]): Allow | null {
  return allows.reduce((best, allow) => {
    if (best === null || allow === null) return best ?? allow;
    const order = strengths.indexOf(allow.rule) - strengths.indexOf(best.rule);
    return (order || allow.place - best.place) < 0 ? allow : best;
  }, null);
}

/** The one of the first policy. */
export function first<R extends Ranked>(all: readonly (R | null)[]): R | null {
  return all.reduce<R | null>(
    (best, one) => (best === null || (one !== null && one.place < best.place) ? one : best),
    null,
  );
}

/** Index of the first receipt among these. */
export function firstReceipt(receipts: bigint): number {
  return (receipts & -receipts).toString(2).length - 1;
}

function noRules(): ScopeRules {
  return {
    deny: null,
    allow: null,
    conditional: [],
    grounds: 0n,
    receipts: 0n,
    inCeiling: false,
    inToken: false,
  };
}

// Protocol 5: under Balanced, sensitive categories need consent; a deny would forbid them for good. So a
// template's `prof:*` stops short of them, and only an owner's own reaches them.
const templateKey = "template prof:*";

function allowKey({ origin }: Policy, scope: Scope): string {
  return origin === "template" && scope === "prof:*" ? templateKey : scopeKey(scope);
}

// An access request relies on its own purpose, not on receipts for others.
function claimOf(facts: Facts, policy: Policy): Pick<Allow, "rule" | "receipts"> {
  const { agent, purpose } = facts;
  if (policy.verifiedOnly && !agent.verified) return { rule: "needs_verification", receipts: 0n };
  if (!needsPurpose(policy)) return { rule: "allow", receipts: 0n };
  if (purpose === null) return { rule: "needs_purpose", receipts: groundsFor(facts, policy) };
  const rule = isFor({ policy, ...purpose }) ? "allow_for_purpose" : "needs_purpose";
  return { rule, receipts: 0n };
}

// Retention is part of a purpose, so limiting it needs one too.
export function needsPurpose({ purposes, maxRetention }: Policy): boolean {
  return purposes.length > 0 || maxRetention !== null;
}

function groundsFor(facts: Facts, policy: Policy): bigint {
  return facts.receipts.reduce(
    (all, receipt, place) => (isGround({ facts, policy, receipt }) ? all | bit(place) : all),
    0n,
  );
}

type Ground = { facts: Facts; policy: Policy; receipt: Receipt };

function isGround({ facts: { agent, now }, policy, receipt }: Ground): boolean {
  const { agentDid, purposeType, retention, grantedAt, expiresAt, revokedAt } = receipt;
  const ageMs = now.getTime() - grantedAt.getTime();
  return (
    agentDid === agent.did &&
    revokedAt === null &&
    expiresAt > now &&
    (policy.receiptSeconds === null || ageMs < policy.receiptSeconds * 1_000) &&
    isFor({ policy, type: purposeType, retention: retention ?? undefined })
  );
}

type Use = { policy: Policy; type: string; retention?: string | undefined };

function isFor({ policy: { purposes, maxRetention }, type, retention }: Use): boolean {
  const isPurpose = purposes.length === 0 || purposes.includes(type);
  return isPurpose && (maxRetention === null || isRetentionWithin(retention, maxRetention));
}

function bit(place: number): bigint {
  return 1n << BigInt(place);
}
