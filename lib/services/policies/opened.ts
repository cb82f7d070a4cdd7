import { type Category, commonMemberScope, covers, isCategory } from "@/lib/protocol/scope";
import { decideEach } from "@/lib/rules/decide";
import { type Declared, withReceipt } from "@/lib/rules/effect/effect";
import { exampleOf, strangerFacts } from "@/lib/rules/effect/imagined-agents";
import { type Counts, counterOf, type Holdings, sightOf } from "@/lib/rules/effect/seen";
import type { Facts, Policy } from "@/lib/rules/facts";
import type { KnownFacts } from "../access/sight/known-facts";
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
  known: readonly KnownFacts[];
  after: readonly Policy[];
  declared: Declared | null;
  now: Date;
}

/** Lists what a rule is about, as an agent finds it that the rule is for. */
export function openedBy(policy: Policy, opening: Opening): Opened[] {
  const { holdings, declared } = opening;
  const facts = factsOf(policy, opening);
  if (facts === null) return [];
  const decideCategory = decideEach(declared ? withReceipt(facts, declared) : facts, "read");
  const all = new Set([
    ...usualCategories,
    ...policy.allow.filter(isCategory),
    ...Object.keys(holdings.memories),
    ...holdings.namedValues.map(({ category }) => category),
    ...Object.keys(holdings.common).map((member) => commonMemberScope(member)),
  ]);
  const counts = counterOf(holdings, [...all])(sightOf(holdings, decideCategory).seen);
  const isAbout = (one: Category) => policy.allow.some((scope) => covers(scope, one));
  return [...all].filter(isAbout).flatMap((category) => {
    const { outcome, reason } = decideCategory(category);
    const isClosed = reason.rule === "deny";
    if (outcome !== "granted" && !isClosed) return [];
    const { memories, values } = counts.get(category) ?? none;
    return [{ category, items: memories + values, isClosed }];
  });
}

// Null for one agent that is not active.
function factsOf({ agentPattern }: Policy, { known, after, now }: Opening): Facts | null {
  const did = exampleOf(agentPattern);
  const found = known.find(({ agent }) => agent.did === did);
  if (found !== undefined) return { ...found.facts, policies: after };
  if (!agentPattern.includes("*")) return null;
  return strangerFacts({ did, verified: true, policies: after, now });
}

const none: Counts = { memories: 0, values: 0 };
