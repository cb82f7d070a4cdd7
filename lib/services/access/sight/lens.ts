import type { Did } from "@/lib/protocol/did";
import type { Category } from "@/lib/protocol/scope";
import { decideEach } from "@/lib/rules/decide";
import { type Holdings, itemsSeen, type SeenItem, sightOf } from "@/lib/rules/effect/seen";
import type { Facts, Policy } from "@/lib/rules/facts";
import type { Part } from "@/lib/rules/parts/parts";
import { reveal } from "@/lib/rules/reveal";
import { loadContent, readableIn } from "../../content";
import type { Ctx } from "../../context";
import { loadFacts, type ProfileRow } from "../../facts";
import { withProfile } from "../../profile-gate";
import { loadHoldings } from "./holdings";

export interface LensItem extends SeenItem {
  /** Visible only with the imagined rule. */
  isNew: boolean;
}

/** All memories of a category that the agent sees. Each page of List Memories counts the same. */
export interface SeenMemories {
  category: Category;
  count: number;
  /** Visible only with the imagined rule. */
  isNew: boolean;
}

export interface Lens {
  /** Every value, and the newest memories of each category. */
  items: LensItem[];
  memories: SeenMemories[];
  /** Seen now, and no longer. */
  lost: SeenItem[];
  lostMemories: Omit<SeenMemories, "isNew">[];
  /** What stays hidden, and by which rule: names, never values. */
  hidden: Part[];
  /** The policies that reasons refer to. */
  policies: Policy[];
}

export interface Seeing {
  did: string;
  agentDid: Did;
  /** Replaces the facts; left out, the present ones decide. */
  imagine?: (facts: Facts) => Facts;
}

/** Returns the exact answer that an agent gets, and what stays hidden by which rule. */
export async function seeAsAgent(ctx: Ctx, seeing: Seeing): Promise<Lens> {
  return withProfile(ctx, { verb: "seeAsAgent", did: seeing.did }, ({ profile }) =>
    ctx.shares.heavy(profile.ownerId, () => see(ctx, seeing)),
  );
}

async function see(ctx: Ctx, { did, agentDid, imagine = (facts) => facts }: Seeing): Promise<Lens> {
  const caller = { kind: "agent", did: agentDid } as const;
  const wants = { categories: true, authority: false };
  const query = { profileDid: did, caller, now: ctx.now, wants };
  const { facts, profile } = await loadFacts(ctx.pool, query);
  if (facts === null) return nothing;
  const after = imagine(facts);
  const held = { profile, holdings: await loadHoldings(ctx, profile) };
  const before = await seenUnder(ctx, held, facts);
  const now = after === facts ? before : await seenUnder(ctx, held, after);
  const { hidden } = sightOf(held.holdings, decideEach(after, "read"));
  const named = new Set(hidden.map(({ decision }) => decision.reason.policyId));
  return {
    items: now.items.map((item) => ({ ...item, isNew: !before.ids.has(seenAs(item)) })),
    memories: now.memories.map((one) => ({ ...one, isNew: !before.ids.has(one.category) })),
    lost: before.items.filter((item) => !now.ids.has(seenAs(item))),
    lostMemories: before.memories.filter(({ category }) => !now.ids.has(category)),
    hidden,
    policies: after.policies.filter(({ id }) => named.has(id)),
  };
}

const nothing: Lens = {
  ...{ items: [], memories: [], lost: [], lostMemories: [], hidden: [], policies: [] },
};

interface Seen {
  items: SeenItem[];
  memories: Omit<SeenMemories, "isNew">[];
  /** Of the values, and the categories whose memories are seen. */
  ids: Set<string>;
}

// Decided, loaded and revealed as the API does it.
async function seenUnder(ctx: Ctx, { profile, holdings }: Held, facts: Facts): Promise<Seen> {
  const decideCategory = decideEach(facts, "read");
  const categories = profile.categories ?? [];
  const readable = readableIn({ categories, decideCategory, within: null });
  const { id: profileId, common } = profile;
  const { content } = await loadContent(ctx.pool, { profileId, common, readable });
  const items = itemsSeen(reveal({ content, decideCategory }));
  const memories = Object.entries(holdings.memories)
    .filter(([category]) => decideCategory(category).outcome === "granted")
    .map(([category, count]) => ({ category, count }));
  const ids = [...items.map(seenAs), ...memories.map(({ category }) => category)];
  return { items, memories, ids: new Set(ids) };
}

// All memories of a category are seen or none, and the items are only the newest of them.
function seenAs({ kind, id, category }: SeenItem): string {
  return kind === "memory" ? category : id;
}

interface Held {
  profile: ProfileRow;
  holdings: Holdings;
}
