import { Prisma } from "@/lib/engine/prisma-client/client";
import { listPendingConsents, type PendingConsent } from "../access/consents";
import { loadPolicyLines, type PolicyLine } from "../access/policy-lines";
import { type KnownAgent, listProfileAgents } from "../agents/known/list-known";
import type { Ctx } from "../context";
import { browseMemories } from "../memories/browse";
import type { ShownMemory } from "../memories/shown";
import { withProfile } from "../profile-gate";
import { listInbox } from "../proposals/inbox";
import type { InboxItem } from "../proposals/inbox-item";

export interface Found {
  proposals: InboxItem[];
  agents: KnownAgent[];
  memories: ShownMemory[];
  /** These two not searched: the caller compares their sentences. */
  requests: PendingConsent[];
  policies: PolicyLine[];
}

interface SearchQuery {
  did: string;
  /** Without it, what waits is found. */
  search?: string;
  limit: number;
}

// As many as the navigation counts, oldest first.
const requestsMax = 1_000;

/** Finds things of a profile by words. Each is read by its own verb, with its bounds and permissions. */
export async function searchProfile(ctx: Ctx, { did, search, limit }: SearchQuery): Promise<Found> {
  const query = { did, search, limit };
  const isSearch = search !== undefined;
  const [inbox, requests, known, policies, memories] = await Promise.all([
    listInbox(ctx, { ...query, tab: "pending" }),
    listPendingConsents(ctx, did, { limit: isSearch ? requestsMax : limit }),
    isSearch ? listProfileAgents(ctx, query) : { agents: [] },
    isSearch ? unendedPolicies(ctx, did) : [],
    isSearch ? searchMemories(ctx, query) : [],
  ]);
  const { items: proposals } = inbox;
  return { proposals, requests, agents: known.agents, policies, memories };
}

function unendedPolicies(ctx: Ctx, did: string): Promise<PolicyLine[]> {
  const where = Prisma.sql`(p."expiresAt" IS NULL OR p."expiresAt" > ${ctx.now})`;
  return withProfile(ctx, { verb: "editPolicies", did }, ({ profile: { id } }) =>
    loadPolicyLines(ctx, { profileId: id, where }),
  );
}

/** Finds live memories by words; the newest where there are none. */
export async function searchMemories(ctx: Ctx, query: SearchQuery): Promise<ShownMemory[]> {
  const { memories } = await browseMemories(ctx, { ...query, state: "live", sort: "newest" });
  return memories;
}
