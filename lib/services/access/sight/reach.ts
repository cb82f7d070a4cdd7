import { setImmediate } from "node:timers/promises";
import type { Did } from "@/lib/protocol/did";
import { type Category, covers, isCategory } from "@/lib/protocol/scope";
import { countingPolicies, decideAsOwner } from "@/lib/rules/decide";
import { baseOf } from "@/lib/rules/decide-scope";
import { type Openings, openingsOf } from "@/lib/rules/effect/openings";
import {
  type CountItems,
  type Counts,
  counterOf,
  type Holdings,
  sightOf,
} from "@/lib/rules/effect/seen";
import type { Ctx } from "../../context";
import { withProfile } from "../../profile-gate";
import type { NamedAgent } from "../named-agent";
import { loadHoldings } from "./holdings";
import { type KnownFacts, loadKnownFacts, type PendingScopes } from "./known-facts";

export interface HeldCategory extends Counts {
  category: Category;
}

/** What an agent can do with one category now; the counts are what it reads, or would if it takes it. */
export interface CategoryReach extends Openings, HeldCategory {
  /** A request of the agent that names it and waits for the owner. */
  asks: string | null;
}

export interface AgentReach {
  agent: NamedAgent;
  /** In the order of the profile's categories. */
  categories: CategoryReach[];
}

export interface ProfileReach {
  /** Those that have something, those that decisions name, and those that were asked for. */
  categories: HeldCategory[];
  /** Active agents by name, 200 at most. An agent that is not active can do nothing. */
  agents: AgentReach[];
  /** How many more there are, as far as they were looked at. */
  leftOut: number;
}

export interface ReachQuery {
  did: string;
  /** Only these; left out, all that know the profile or that a rule may mean. */
  agents?: readonly Did[];
  /** Listed even where nothing is in them. */
  categories?: readonly Category[];
}

// Agents choose the scopes of their receipts and requests.
const othersMax = 500;

/** Returns what every agent can do with every category now, decided and counted as the API does. */
export async function reachOf(ctx: Ctx, query: ReachQuery): Promise<ProfileReach> {
  const { did, agents } = query;
  return withProfile(ctx, { verb: "seeAsAgent", did }, ({ profile }) =>
    ctx.shares.heavy(profile.ownerId, async () => {
      const { id: profileId } = profile;
      const [{ known, leftOut }, holdings] = await Promise.all([
        loadKnownFacts(ctx.db, { profileId, now: ctx.now, agents }),
        loadHoldings(ctx, profile),
      ]);
      const named = namedBy(known, query.categories ?? []);
      const count = counterOf(holdings, [...named.own, ...named.other]);
      const all = count(sightOf(holdings, decideAsOwner).seen);
      const listed = [...all.keys(), ...named.own, ...named.other.slice(0, othersMax)];
      const held = [...new Set(listed)].toSorted();
      const reaches: AgentReach[] = [];
      for (const one of known) {
        // Other requests are answered before each agent.
        await setImmediate();
        reaches.push(agentReach(one, { held, holdings, count }));
      }
      const categories = held.map((category) => ({ category, ...(all.get(category) ?? none) }));
      return { categories, agents: reaches, leftOut };
    }),
  );
}

const none: Counts = { memories: 0, values: 0 };

interface Named {
  /** By the query and by rules. */
  own: Category[];
  /** By limits, receipts and requests. */
  other: Category[];
}

// All that decisions differ at, and all that waits for one.
function namedBy(known: readonly KnownFacts[], categories: readonly Category[]): Named {
  const rules = new Set(known.flatMap(({ facts }) => countingPolicies(facts)));
  const scopes = [...rules].flatMap(({ allow, deny }) => [...allow, ...deny]);
  const own = new Set([...categories, ...scopes.map(baseOf)]);
  const limits = known.flatMap(({ facts }) => facts.agent.ceiling);
  const receipts = known.flatMap(({ facts }) => facts.receipts).map((one) => one.grantedScopes);
  const requests = known.flatMap((one) => one.requests).map((request) => request.scopes);
  const other = new Set([limits, ...receipts, ...requests].flat().map(baseOf));
  return {
    own: [...own].filter(isCategory),
    other: [...other].filter((one) => isCategory(one) && !own.has(one)),
  };
}

interface Reaching {
  held: readonly Category[];
  holdings: Holdings;
  count: CountItems;
}

function agentReach(
  { agent, facts, requests }: KnownFacts,
  { held, holdings, count }: Reaching,
): AgentReach {
  const openings = openingsOf(facts);
  const counts = count(sightOf(holdings, openings.getting).seen);
  const categories = held.map((category) => ({
    category,
    ...(counts.get(category) ?? none),
    ...openings(category),
    asks: askingFor(requests, category),
  }));
  return { agent, categories };
}

function askingFor(requests: readonly PendingScopes[], category: Category): string | null {
  const request = requests.find(({ scopes }) => scopes.some((scope) => covers(scope, category)));
  return request?.id ?? null;
}
