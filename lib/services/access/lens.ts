import type { Did } from "@/lib/protocol/did";
import { notFound } from "@/lib/protocol/errors";
import type { Memory } from "@/lib/protocol/resources";
import type { Scope } from "@/lib/protocol/scope";
import { factsAfterConsent } from "@/lib/rules/consent";
import { decideEach } from "@/lib/rules/decide";
import { itemsSeen, type SeenItem } from "@/lib/rules/effect/seen";
import type { Facts, Policy } from "@/lib/rules/facts";
import { type Part, type ProfileContent, profileRecordsMax, reveal } from "@/lib/rules/reveal";
import { loadContent } from "../content";
import type { Ctx } from "../context";
import { loadFacts } from "../facts";
import { onProfile } from "../open-profile";
import { findConsent } from "./consents";

export interface LensItem extends SeenItem {
  /** Seen because of what is imagined, and not before it. */
  isNew: boolean;
}

export interface Lens {
  /** What a request is about; empty where there is none. */
  asked: Scope[];
  items: LensItem[];
  /** Seen now, and no longer. */
  lost: SeenItem[];
  /** What stays hidden and by which rule; names, never values. */
  hidden: Part[];
  /** Those that a reason names. */
  policies: Policy[];
}

export interface GrantImagined {
  did: string;
  requestId: string;
  scopes: readonly Scope[];
}

/** What the agent of a request would read if its owner granted these scopes now. */
export async function seeGrant(ctx: Ctx, { did, requestId, scopes }: GrantImagined): Promise<Lens> {
  const asked = await findConsent(ctx, { did, requestId });
  if (asked === null) throw notFound("consent request");
  const { agentDid } = asked;
  const imagine = (facts: Facts) => factsAfterConsent(facts, { asked, scopes });
  return { ...(await seeAsAgent(ctx, { did, agentDid, imagine })), asked: asked.scopes };
}

export interface Seeing {
  did: string;
  agentDid: Did;
  /** What would decide instead of what does; nothing else where it is left out. */
  imagine?: (facts: Facts) => Facts;
}

/** The very answer that an agent gets now or would get, and what stays hidden from it by which rule. */
export async function seeAsAgent(
  ctx: Ctx,
  { did, agentDid, imagine = (facts) => facts }: Seeing,
): Promise<Lens> {
  return onProfile(ctx, { verb: "seeAsAgent", did }, async ({ profile }) => {
    const caller = { kind: "agent", did: agentDid } as const;
    const { facts } = await loadFacts(ctx.pool, { profileDid: did, caller, now: ctx.now });
    if (facts === null) return { asked: [], items: [], lost: [], hidden: [], policies: [] };
    const content = await loadContent(ctx.pool, {
      profileId: profile.id,
      common: profile.common,
      recordsPerCategoryMax: profileRecordsMax + 1,
    });
    return { asked: [], ...lensOf({ content, facts, after: imagine(facts) }) };
  });
}

interface Looking {
  content: ProfileContent<Memory>;
  facts: Facts;
  after: Facts;
}

// Decided and revealed as the API does it, once as things stand and once as they would.
function lensOf({ content, facts, after }: Looking): Omit<Lens, "asked"> {
  const look = (from: Facts) =>
    reveal({
      content,
      decideCategory: decideEach(from, "read"),
      recordsPerCategoryMax: profileRecordsMax,
    });
  const before = itemsSeen(look(facts));
  const seen = new Set(before.map(({ id }) => id));
  const revealed = look(after);
  const items = itemsSeen(revealed);
  const still = new Set(items.map(({ id }) => id));
  const named = new Set(revealed.hidden.map(({ decision }) => decision.reason.policyId));
  return {
    items: items.map((item) => ({ ...item, isNew: !seen.has(item.id) })),
    lost: before.filter(({ id }) => !still.has(id)),
    hidden: revealed.hidden,
    policies: after.policies.filter(({ id }) => named.has(id)),
  };
}
