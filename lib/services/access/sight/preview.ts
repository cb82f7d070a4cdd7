import { setImmediate } from "node:timers/promises";
import type { Did } from "@/lib/protocol/did";
import { covers, type Scope } from "@/lib/protocol/scope";
import {
  type ConsentInput,
  factsAfterConsent,
  factsWithToken,
  openedWith,
} from "@/lib/rules/consent";
import { type DecideCategory, decideAsOwner, decideEach } from "@/lib/rules/decide";
import { baseOf } from "@/lib/rules/decide-scope";
import { openingsOf } from "@/lib/rules/effect/openings";
import {
  type Counts,
  countSeen,
  type Holdings,
  type SeenItem,
  seenMemory,
  sightOf,
} from "@/lib/rules/effect/seen";
import type { Facts, Policy } from "@/lib/rules/facts";
import type { Part } from "@/lib/rules/parts/parts";
import type { Ctx } from "../../context";
import { loadFacts, type ProfileRow } from "../../facts";
import { memoryPage } from "../../memories/list";
import { type PageSize, pageOf } from "../../page";
import { withProfile } from "../../profile-gate";
import { loadHoldings } from "./holdings";

/** What the agent would read if this scope of its request were granted. */
export interface ScopePreview extends Counts {
  scope: Scope;
  /** Whether it would read what is added later: no rule and no limit keeps the scope closed. */
  opens: boolean;
  /** Granting it would open nothing, now or later. */
  isLocked: boolean;
  /** Of these, what it reads without the grant. */
  already: Counts;
  /** The newest memories, then values. */
  first: SeenItem[];
  /** What stays closed in the scope, and by which rule. */
  closed: Part[];
  /** The other scopes of the request that cover this one. */
  within: Scope[];
}

export interface RequestPreview {
  /** Two scopes share nothing unless one covers the other, so granting some opens just what each opens. */
  scopes: ScopePreview[];
  /** Outside the request, and neither read nor taken by the agent now. */
  rest: SeenItem[];
  restCounts: Counts;
  /** The policies that reasons refer to. */
  policies: readonly Policy[];
}

const firstMax = 3;

/** Returns what each scope of a pending request would open, decided, loaded and counted as the API does. */
export async function previewRequest(
  ctx: Ctx,
  { did, request }: { did: string; request: Requested },
): Promise<RequestPreview> {
  return inPreview(ctx, { did, request }, async ({ profile, facts, granting }) => {
    const holdings = await loadHoldings(ctx, profile);
    const before = decideEach(facts, "read");
    const had = new Set(sightOf(holdings, before).seen.map(({ id }) => id));
    const opened = openedWith(factsGranting(facts, request, request.scopes), request.scopes);
    const scopes: ScopePreview[] = [];
    for (const scope of request.scopes) {
      // Other requests are answered before each scope.
      await setImmediate();
      const decideCategory = granting(scope);
      const { seen, hidden } = sightOf(holdings, decideCategory, [scope]);
      const counts = countSeen(seen, holdings);
      const already = seen.some(({ id }) => had.has(id))
        ? sightOf(holdings, before, [scope]).seen
        : [];
      const page = { profile, decideCategory, within: [scope], limit: firstMax, offset: 0 };
      const { memories } = counts.memories > 0 ? await memoryPage(ctx, page) : { memories: [] };
      scopes.push({
        ...{ scope, opens: isOpened(scope, decideCategory), ...counts },
        isLocked: !opened.includes(scope),
        already: countSeen(already, holdings),
        first: [...memories.map(seenMemory), ...valuesIn(seen)].slice(0, firstMax),
        ...{ closed: hidden, within: widerIn(request.scopes, scope) },
      });
    }
    await setImmediate();
    const rest = restOf({ holdings, facts, scopes: request.scopes });
    const restCounts = countSeen(rest, holdings);
    return { scopes, rest, restCounts, policies: facts.policies };
  });
}

// Of two that cover each other (`prof:a` and `prof:a.*`) the first is the wider one.
function widerIn(scopes: readonly Scope[], scope: Scope): Scope[] {
  const at = scopes.indexOf(scope);
  return scopes.filter((other, place) => {
    const isBoth = covers(other, scope) && covers(scope, other);
    return place !== at && (isBoth ? place < at : covers(other, scope));
  });
}

/** A request for consent, or a client that asks to be connected: by its tokens it reads what they carry, alone. */
type Requested = (ConsentInput | { agentDid: Did; connects: true }) & { scopes: readonly Scope[] };

/** The facts as they would be with these scopes of the request. */
function factsGranting(facts: Facts, request: Requested, scopes: readonly Scope[]): Facts {
  return "connects" in request
    ? factsWithToken(facts, { scopes, permissions: ["read"] })
    : factsAfterConsent(facts, { consent: request, scopes });
}

function restOf({
  holdings,
  facts,
  scopes,
}: {
  holdings: Holdings;
  facts: Facts;
  scopes: readonly Scope[];
}): SeenItem[] {
  const requested = sightOf(holdings, decideAsOwner, scopes).seen;
  const got = sightOf(holdings, openingsOf(facts).getting).seen;
  const known = new Set([...requested, ...got].map(({ id }) => id));
  return sightOf(holdings, decideAsOwner).seen.filter(({ id }) => !known.has(id));
}

export interface LookQuery {
  did: string;
  /** As if this scope of it had been granted; with an agent alone, as things are now. */
  request: Requested | { agentDid: Did };
  scope: Scope;
  /** How many come before this page. */
  offset: number;
  size: PageSize;
}

export interface LookPage {
  /** Values first, then the memories, newest first. */
  items: SeenItem[];
  /** How many there are on all pages. */
  total: number;
  /** Whether it would read what is added later. */
  opens: boolean;
}

/** Returns a page of all that the agent sees, or would see: what pages of List Memories hand out, and the values. */
export async function lookThrough(
  ctx: Ctx,
  { did, request, scope, offset, size }: LookQuery,
): Promise<LookPage> {
  return inPreview(ctx, { did, request }, async ({ profile, granting }) => {
    const [decideCategory, within] = [granting(scope), [scope]];
    const holdings = await loadHoldings(ctx, profile);
    const all = valuesIn(sightOf(holdings, decideCategory, within).seen);
    const values = all.slice(offset, offset + size.limit);
    const { memories, total } = await memoryPage(ctx, {
      ...{ profile, decideCategory, within },
      ...{ limit: size.limit - values.length, offset: Math.max(0, offset - all.length) },
    });
    const { page } = pageOf([...values, ...memories.map(seenMemory)], size);
    const opens = isOpened(scope, decideCategory);
    return { items: page, total: all.length + total, opens };
  });
}

/** Of what no rule names in it. */
function isOpened(scope: Scope, decideCategory: DecideCategory): boolean {
  return decideCategory(baseOf(scope)).outcome === "granted";
}

function valuesIn(seen: readonly SeenItem[]): SeenItem[] {
  return seen.filter(({ kind }) => kind !== "memory");
}

interface Imagined {
  profile: ProfileRow;
  facts: Facts;
  /** Decides as if this scope of the request had been granted, and no other; without a request, as things are. */
  granting: (scope: Scope) => DecideCategory;
}

async function inPreview<T>(
  ctx: Ctx,
  { did, request }: { did: string; request: LookQuery["request"] },
  look: (imagined: Imagined) => Promise<T>,
): Promise<T> {
  return withProfile(ctx, { verb: "seeAsAgent", did }, async ({ profile: { ownerId } }) => {
    const caller = { kind: "agent", did: request.agentDid } as const;
    const wants = { categories: true, authority: false };
    const connects = "connects" in request;
    const { facts: loaded, profile } = await loadFacts(ctx.pool, {
      ...{ profileDid: did, caller, now: ctx.now, wants, asNewcomer: connects },
    });
    const known = loaded ?? unknownAgent(request, ctx.now);
    // Its tokens carry nothing yet.
    const facts = connects ? { ...known, token: { scopes: [], permissions: [] } } : known;
    const granting = (scope: Scope) =>
      decideEach("scopes" in request ? factsGranting(facts, request, [scope]) : facts, "read");
    return ctx.shares.heavy(ownerId, () => look({ profile, facts, granting }));
  });
}

// Deleted since it asked: it reads nothing, whatever is granted.
function unknownAgent({ agentDid }: { agentDid: Did }, now: Date): Facts {
  const agent = { did: agentDid, verified: false, ceiling: [] };
  return { agent, policies: [], receipts: [], token: null, purpose: null, now };
}
