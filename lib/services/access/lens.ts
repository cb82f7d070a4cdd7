import type { Did } from "@/lib/protocol/did";
import { notFound } from "@/lib/protocol/errors";
import type { Category, Scope } from "@/lib/protocol/scope";
import { factsAfterConsent } from "@/lib/rules/consent";
import { decideEach } from "@/lib/rules/decide";
import { itemsSeen, type SeenItem } from "@/lib/rules/effect/seen";
import type { Facts, Policy } from "@/lib/rules/facts";
import type { Part } from "@/lib/rules/parts/parts";
import { type NamedValue, reveal } from "@/lib/rules/reveal";
import { live, loadContent, readableIn } from "../content";
import type { Ctx } from "../context";
import { loadFacts, type ProfileRow } from "../facts";
import { withProfile } from "../profile-gate";
import { findConsent } from "./consents";

export interface LensItem extends SeenItem {
  /** Visible only with the imagined rule. */
  isNew: boolean;
}

export interface Lens {
  /** The scopes of the request; empty if there is none. */
  requested: Scope[];
  items: LensItem[];
  /** Seen now, and no longer. */
  lost: SeenItem[];
  /** What stays hidden, and by which rule: names, never values. */
  hidden: Part[];
  /** The policies that reasons refer to. */
  policies: Policy[];
}

export interface GrantImagined {
  did: string;
  requestId: string;
  scopes: readonly Scope[];
}

/** Returns what the agent would read if the owner granted these scopes now. */
export async function seeGrant(ctx: Ctx, { did, requestId, scopes }: GrantImagined): Promise<Lens> {
  const request = await findConsent(ctx, { did, requestId });
  if (request === null) throw notFound("consent request");
  const { agentDid } = request;
  const imagine = (facts: Facts) => factsAfterConsent(facts, { consent: request, scopes });
  return { ...(await seeAsAgent(ctx, { did, agentDid, imagine })), requested: request.scopes };
}

export interface Seeing {
  did: string;
  agentDid: Did;
  /** Replaces the facts; left out, the present ones decide. */
  imagine?: (facts: Facts) => Facts;
}

/** Returns the exact answer that an agent gets, and what stays hidden by which rule. */
export async function seeAsAgent(
  ctx: Ctx,
  { did, agentDid, imagine = (facts) => facts }: Seeing,
): Promise<Lens> {
  return withProfile(ctx, { verb: "seeAsAgent", did }, async () => {
    const caller = { kind: "agent", did: agentDid } as const;
    const wants = { categories: true, authority: false };
    const { facts, profile: held } = await loadFacts(ctx.pool, {
      profileDid: did,
      caller,
      now: ctx.now,
      wants,
    });
    if (facts === null) return { requested: [], items: [], lost: [], hidden: [], policies: [] };
    const after = imagine(facts);
    const look = (from: Facts) => seenUnder(ctx, held, from);
    const before = await look(facts);
    const items = after === facts ? before : await look(after);
    const seen = new Set(before.map(({ id }) => id));
    const still = new Set(items.map(({ id }) => id));
    const hidden = await hiddenUnder(ctx, held, after);
    const named = new Set(hidden.map(({ decision }) => decision.reason.policyId));
    return {
      requested: [],
      items: items.map((item) => ({ ...item, isNew: !seen.has(item.id) })),
      lost: before.filter(({ id }) => !still.has(id)),
      hidden,
      policies: after.policies.filter(({ id }) => named.has(id)),
    };
  });
}

// Decided, loaded and revealed as the API does it.
async function seenUnder(ctx: Ctx, profile: ProfileRow, facts: Facts): Promise<SeenItem[]> {
  const decideCategory = decideEach(facts, "read");
  const categories = profile.categories ?? [];
  const readable = readableIn({ categories, decideCategory, within: null });
  const { id: profileId, common } = profile;
  const { content } = await loadContent(ctx.pool, { profileId, common, readable });
  return itemsSeen(reveal({ content, decideCategory }));
}

// Only counts hidden memories. What a value hides depends on its content.
async function hiddenUnder(ctx: Ctx, { id, common }: ProfileRow, facts: Facts): Promise<Part[]> {
  const memories = await ctx.db.$queryRaw<
    { category: Category; count: number }[]
  >`SELECT category, count(*)::int AS count FROM "Memory" WHERE "profileId" = ${id} AND ${live}
     GROUP BY category ORDER BY category`;
  const namedValues = await ctx.db.$queryRaw<
    NamedValue[]
  >`SELECT category, name, value FROM "NamedValue" WHERE "profileId" = ${id} ORDER BY category, name`;
  const decideCategory = decideEach(facts, "read");
  const { hidden } = reveal({ content: { common, namedValues, memories }, decideCategory });
  const counts = new Map(memories.map(({ category, count }) => [category, count]));
  return hidden.map((part) =>
    part.kind === "memory" ? { ...part, items: counts.get(part.category) ?? 0 } : part,
  );
}
