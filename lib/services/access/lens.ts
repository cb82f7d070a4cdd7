import { notFound } from "@/lib/protocol/errors";
import type { Memory } from "@/lib/protocol/resources";
import { type Category, commonMemberScope, type Scope } from "@/lib/protocol/scope";
import { factsAfterConsent } from "@/lib/rules/consent";
import { decideEach } from "@/lib/rules/decide";
import type { Facts, Policy } from "@/lib/rules/facts";
import {
  type Part,
  type ProfileContent,
  profileRecordsMax,
  type Revealed,
  reveal,
} from "@/lib/rules/reveal";
import { loadContent } from "../content";
import type { Ctx } from "../context";
import { loadFacts } from "../facts";
import { onProfile } from "../open-profile";
import { findConsent } from "./consents";

/** One thing that an agent sees: a value with its name, or the text of a memory. */
export interface LensItem {
  id: string;
  category: Category;
  name: string | null;
  value: unknown;
  /** Seen because of the grant, and not before it. */
  isNew: boolean;
}

export interface Lens {
  /** What the request is about. */
  asked: Scope[];
  items: LensItem[];
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
  return onProfile(ctx, { verb: "seeAsAgent", did }, async ({ profile }) => {
    const asked = await findConsent(ctx, { did, requestId });
    if (asked === null) throw notFound("consent request");
    const caller = { kind: "agent", did: asked.agentDid } as const;
    const { facts } = await loadFacts(ctx.pool, { profileDid: did, caller, now: ctx.now });
    if (facts === null) return { asked: asked.scopes, items: [], hidden: [], policies: [] };
    const content = await loadContent(ctx.pool, {
      profileId: profile.id,
      common: profile.common,
      recordsPerCategoryMax: profileRecordsMax + 1,
    });
    const after = factsAfterConsent(facts, { asked, scopes });
    return { asked: asked.scopes, ...lensOf({ content, facts, after }) };
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
  const seen = new Set(itemsOf(look(facts)).map(({ id }) => id));
  const revealed = look(after);
  const named = new Set(revealed.hidden.map(({ decision }) => decision.reason.policyId));
  return {
    items: itemsOf(revealed).map((item) => ({ ...item, isNew: !seen.has(item.id) })),
    hidden: revealed.hidden,
    policies: facts.policies.filter(({ id }) => named.has(id)),
  };
}

type Seen = Omit<LensItem, "isNew">;

function itemsOf({ common, memories }: Revealed<Memory>): Seen[] {
  const members = Object.entries(common).flatMap(([member, value]) =>
    leaves({ category: commonMemberScope(member), path: [], value, kind: "common" }),
  );
  const kept = Object.entries(memories).flatMap(([category, held]) => {
    if (Array.isArray(held)) return recordsOf(held);
    const { memories: records, ...values } = held;
    const named = Object.entries(values).map(([name, value]) =>
      seen({ category, path: [name], value, kind: "named_value" }),
    );
    return [...named, ...(Array.isArray(records) ? recordsOf(records) : [])];
  });
  return [...members, ...kept];
}

interface Leaf {
  category: Category;
  path: string[];
  value: unknown;
  kind: Part["kind"];
}

function leaves(leaf: Leaf): Seen[] {
  const { value, path } = leaf;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [seen(leaf)];
  return Object.entries(value).flatMap(([name, below]) =>
    leaves({ ...leaf, path: [...path, name], value: below }),
  );
}

function seen({ category, path, value, kind }: Leaf): Seen {
  const id = JSON.stringify([kind, category, ...path]);
  return { id, category, name: path.length === 0 ? null : path.join(" › "), value };
}

function recordsOf(records: Memory[]): Seen[] {
  return records.map(({ id, category, content }) => ({ id, category, name: null, value: content }));
}
