import type { Category } from "@/lib/protocol/scope";
import { countingPolicies, type DecideCategory, type Decision, decideEach } from "../decide";
import type { Facts, Permission, Policy, Receipt } from "../facts";
import { needsPurpose } from "../index/rule-index";

/** A rule that opens a category to an agent. */
export interface Opening {
  policy: Policy;
  /** When no rule opens it any more; null until the owner ends it. */
  until: Date | null;
}

/** What an agent can do with one category now. */
export interface Openings {
  /** It reads what is there, and what is added. */
  reads: Opening | null;
  /** It may take this without asking: the rule gives a receipt to an agent that declares its purpose. */
  takes: Opening | null;
  proposes: Opening | null;
  /** A rule denies it, or the limit that an admin set: no grant can open it. */
  never: { policy: Policy | null } | null;
}

/** Decides as the API does what each category is to an agent, and for how long. */
export function openingsOf(all: Facts): OpeningsIn {
  const facts = { ...all, policies: countingPolicies(all) };
  const reads = openingIn(facts, "read", isGranted);
  const takes = openingIn(askingFacts(facts), "read", isTaken);
  const proposes = openingIn(facts, "propose", isGranted);
  const openings = (category: Category): Openings => ({
    reads: reads.opening(category),
    takes: takes.opening(category),
    proposes: proposes.opening(category),
    never: neverIn(reads.decide(category), facts.policies),
  });
  // What is taken is decided like what is read, once its receipt is there.
  const getting = (category: Category): Decision => {
    const decision = reads.decide(category);
    const taken = isGranted(decision) ? decision : takes.decide(category);
    return isTaken(taken) ? { ...taken, outcome: "granted" } : decision;
  };
  const { namedIn } = reads.decide;
  return Object.assign(openings, { getting: Object.assign(getting, { namedIn }) });
}

export type OpeningsIn = {
  (category: Category): Openings;
  /** Grants what the agent reads now and what it may take without asking. */
  getting: DecideCategory;
};

function isGranted({ outcome }: Decision): boolean {
  return outcome === "granted";
}

// No rule denies it and no limit keeps the agent from it: only the declared purpose is missing.
function isTaken({ reason: { rule } }: Decision): boolean {
  return rule === "needs_purpose";
}

function neverIn({ outcome, reason }: Decision, policies: readonly Policy[]): Openings["never"] {
  if (outcome !== "denied") return null;
  return { policy: policies.find(({ id }) => id === reason.policyId) ?? null };
}

// As if it had no receipt yet, and only rules with a purpose allowed anything.
function askingFacts(facts: Facts): Facts {
  const policies = facts.policies.map((policy) =>
    needsPurpose(policy) ? policy : { ...policy, allow: [] },
  );
  return { ...facts, policies, receipts: [], purpose: null };
}

function openingIn(facts: Facts, permission: Permission, isOpen: (decision: Decision) => boolean) {
  const policies = new Map(facts.policies.map((policy) => [policy.id, policy]));
  const receipts = new Map(facts.receipts.map((receipt) => [receipt.id, receipt]));
  const deciders = new Map<number, DecideCategory>();
  const decideAt = (now: Date): DecideCategory => {
    const decide = deciders.get(now.getTime()) ?? decideEach({ ...facts, now }, permission);
    deciders.set(now.getTime(), decide);
    return decide;
  };
  // Rules only end: from the end of the one that opens it now, another one may still do so.
  const untilOf = (category: Category, now: Date): Date | null => {
    const decision = decideAt(now)(category);
    if (!isOpen(decision)) return now;
    const { policyId, receiptId } = decision.reason;
    const end = endOf(policies.get(policyId ?? ""), receipts.get(receiptId ?? ""));
    return end === null ? null : untilOf(category, end);
  };
  const decide = decideAt(facts.now);
  const opening = (category: Category): Opening | null => {
    const decision = decide(category);
    const policy = policies.get(decision.reason.policyId ?? "");
    if (!isOpen(decision) || policy === undefined) return null;
    return { policy, until: untilOf(category, facts.now) };
  };
  return { decide, opening };
}

function endOf(policy: Policy | undefined, receipt: Receipt | undefined): Date | null {
  const seconds = policy?.receiptSeconds ?? null;
  const ends = [
    policy?.expiresAt ?? null,
    receipt?.expiresAt ?? null,
    receipt === undefined || seconds === null
      ? null
      : new Date(receipt.grantedAt.getTime() + seconds * 1_000),
  ].flatMap((end) => end?.getTime() ?? []);
  return ends.length === 0 ? null : new Date(Math.min(...ends));
}
