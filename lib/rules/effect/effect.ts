import type { Category } from "@/lib/protocol/scope";
import { receiptSecondsMax } from "../access";
import { countingPolicies, decideEach } from "../decide";
import { baseOf } from "../decide-scope";
import type { Facts, Permission, Policy } from "../facts";
import { type CountItems, counterOf, type Holdings, type SeenItem, sightOf, sumOf } from "./seen";

/** What one agent gains or loses. */
export type Share = {
  memories: number;
  values: number;
  /** Where those are. */
  categories: Category[];
  /** Named by the change and empty so far; `prof:*` is everything that no rule names. */
  later: Category[];
  /** Where it may propose. */
  proposes: Category[];
};

export type Effect = { gains: Share; loses: Share };

/** What an agent declares in a request, for rules that need it. */
export type Declared = { type: string; retention: string | null };

export type EffectInput = {
  /** The facts of each agent: its identity, its receipts and the present policies. */
  agents: readonly Facts[];
  after: readonly Policy[];
  holdings: Holdings;
  /** As if each agent had just been given a receipt for this, before and after alike. */
  declared?: Declared | null;
};

/** How many comparisons one change is worth: a profile may know hundreds of agents with rules of their own. */
export const comparedMax = 25;

/**
 * Yields what each agent gains and loses by a change of policies, in order; null for an agent that is not
 * compared. The caller may yield to others between two agents.
 */
export function* effectOf({
  agents,
  after,
  holdings,
  declared = null,
}: EffectInput): Generator<Effect | null, void> {
  const known = new Map<string, Effect>();
  const changed = new Map<readonly Policy[], Change>();
  for (const facts of agents) {
    const change = changed.get(facts.policies) ?? changeOf(facts.policies, after);
    changed.set(facts.policies, change);
    const next = { ...facts, policies: after };
    const key = keyOf(facts, next, change);
    if (key === null) {
      yield nothing;
      continue;
    }
    if (!known.has(key) && known.size < comparedMax) {
      const before = declared ? withReceipt(facts, declared) : facts;
      const then = declared ? withReceipt(next, declared) : next;
      known.set(key, compare({ before, after: then, holdings, probes: change.probes }));
    }
    yield known.get(key) ?? null;
  }
}

export function isEmpty({ memories, values, later, proposes }: Share): boolean {
  return memories + values + later.length + proposes.length === 0;
}

type Change = { ids: ReadonlySet<string>; probes: readonly Category[] };

function changeOf(before: readonly Policy[], after: readonly Policy[]): Change {
  const [was, tells] = [before, after].map(
    (policies) => new Map(policies.map((policy) => [policy.id, JSON.stringify(policy)])),
  );
  const differs = ({ id }: Policy) => was?.get(id) !== tells?.get(id);
  const policies = [...before.filter(differs), ...after.filter(differs)];
  const scopes = policies.flatMap(({ allow, deny }) => [...allow, ...deny]);
  return { ids: new Set(policies.map(({ id }) => id)), probes: [...new Set(scopes.map(baseOf))] };
}

// Agents with the same rules have the same result; null if no changed rule applies to this one.
function keyOf(facts: Facts, next: Facts, { ids }: Change): string | null {
  const [before, after] = [facts, next].map((one) => countingPolicies(one).map(({ id }) => id));
  if (![...(before ?? []), ...(after ?? [])].some((id) => ids.has(id))) return null;
  const { verified, ceiling } = facts.agent;
  const receipts = facts.receipts.map(({ id }) => id);
  return JSON.stringify([verified, ceiling, receipts, before, after]);
}

/** Returns the facts once the agent has requested access and got it. */
export function withReceipt(facts: Facts, { type, retention }: Declared): Facts {
  const { agent, now } = facts;
  const receipt = {
    id: "declared",
    agentDid: agent.did,
    grantedScopes: ["prof:*"],
    purposeType: type,
    retention,
    grantedAt: now,
    expiresAt: new Date(now.getTime() + receiptSecondsMax * 1_000),
    revokedAt: null,
  };
  return { ...facts, receipts: [...facts.receipts, receipt] };
}

type Compared = { before: Facts; after: Facts; holdings: Holdings; probes: readonly Category[] };

function compare({ before, after, holdings, probes }: Compared): Effect {
  const [then, now] = [standing(before, holdings), standing(after, holdings)];
  const count = counterOf(holdings, probes);
  const share = (has: Standing, lacks: Standing) =>
    shareOf({ has, lacks, holdings, probes, count });
  return { gains: share(now, then), loses: share(then, now) };
}

type Standing = {
  seen: Map<string, SeenItem>;
  may: (permission: Permission, category: Category) => boolean;
};

function standing(facts: Facts, holdings: Holdings): Standing {
  const read = decideEach(facts, "read");
  const propose = decideEach(facts, "propose");
  return {
    seen: new Map(sightOf(holdings, read).seen.map((item) => [item.id, item])),
    may: (permission, category) =>
      (permission === "read" ? read : propose)(category).outcome === "granted",
  };
}

type Sharing = Pick<Compared, "holdings" | "probes"> & {
  has: Standing;
  lacks: Standing;
  count: CountItems;
};

function shareOf({ has, lacks, holdings, probes, count }: Sharing): Share {
  const items = [...has.seen.values()].filter(({ id }) => !lacks.seen.has(id));
  const counts = count(items);
  const differs = (permission: Permission) => (category: Category) =>
    has.may(permission, category) && !lacks.may(permission, category);
  const own = Object.keys(holdings.memories);
  return {
    ...sumOf([...counts.values()]),
    categories: [...counts.keys()],
    later: widest(probes.filter(differs("read")).filter((category) => !counts.has(category))),
    proposes: widest([...new Set([...probes, ...own])].filter(differs("propose"))),
  };
}

// "Everything else" says it all.
function widest(categories: Category[]): Category[] {
  return categories.includes("prof:*") ? ["prof:*"] : categories;
}

const empty: Share = { memories: 0, values: 0, categories: [], later: [], proposes: [] };
const nothing: Effect = { gains: empty, loses: empty };
