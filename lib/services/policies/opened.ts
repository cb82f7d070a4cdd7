import { type Category, commonMemberScope, covers, isCategory } from "@/lib/protocol/scope";
import { type DecideCategory, decideEach } from "@/lib/rules/decide";
import { type Declared, withReceipt } from "@/lib/rules/effect/effect";
import { type Holdings, sightOf } from "@/lib/rules/effect/seen";
import type { Facts, Policy } from "@/lib/rules/facts";
import { usualCategories } from "./known-categories";

/** A category that a rule allows to read, unless another rule closes it. */
export interface Opened {
  category: Category;
  /** Memories and values, as the agent would get them. */
  items: number;
  isClosed: boolean;
}

interface Opening {
  holdings: Holdings;
  after: readonly Policy[];
  declared: Declared | null;
  now: Date;
}

/** Lists what a rule is about, as an agent finds it that the rule is for. */
export function openedBy(policy: Policy, { holdings, after, declared, now }: Opening): Opened[] {
  const facts: Facts = {
    agent: { did: policy.agentPattern.replaceAll("*", "any"), verified: true, ceiling: ["prof:*"] },
    policies: after,
    ...{ receipts: [], token: null, purpose: null, now },
  };
  const decideCategory = decideEach(declared ? withReceipt(facts, declared) : facts, "read");
  const counts = countSeen(holdings, decideCategory);
  const all = new Set([
    ...usualCategories,
    ...policy.allow.filter(isCategory),
    ...Object.keys(holdings.memories),
    ...holdings.namedValues.map(({ category }) => category),
    ...Object.keys(holdings.common).map((member) => commonMemberScope(member)),
  ]);
  const isAbout = (one: Category) => policy.allow.some((scope) => covers(scope, one));
  return [...all].filter(isAbout).flatMap((category) => {
    const { outcome, reason } = decideCategory(category);
    const isClosed = reason.rule === "deny";
    if (outcome !== "granted" && !isClosed) return [];
    return [{ category, items: counts.get(category) ?? 0, isClosed }];
  });
}

function countSeen(holdings: Holdings, decideCategory: DecideCategory): Map<Category, number> {
  const counts = new Map<Category, number>();
  for (const { kind, category } of sightOf(holdings, decideCategory).seen) {
    const items = kind === "memory" ? (holdings.memories[category] ?? 0) : 1;
    counts.set(category, (counts.get(category) ?? 0) + items);
  }
  return counts;
}
