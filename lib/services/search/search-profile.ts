import { listPendingConsents, type PendingConsent } from "../access/consents";
import { type KnownAgent, listKnownAgents } from "../agents/known/list-known";
import type { Ctx } from "../context";
import { browseMemories } from "../memories/browse";
import type { ShownMemory } from "../memories/shown";
import { type ListedPolicy, listPolicies } from "../policies/list";
import { type InboxItem, listInbox } from "../proposals/inbox";

export interface Found {
  proposals: InboxItem[];
  /** All that wait: their words are the caller's to compare. */
  requests: PendingConsent[];
  agents: KnownAgent[];
  memories: ShownMemory[];
  policies: ListedPolicy[];
}

interface SearchQuery {
  did: string;
  /** Without it, what waits is found. */
  search?: string;
  limit: number;
}

const requestsMax = 50;

/** Finds things of a profile by words. Each is read by its own verb, with its bounds and permissions. */
export async function searchProfile(ctx: Ctx, { did, search, limit }: SearchQuery): Promise<Found> {
  const query = { did, search, limit };
  const isSearch = search !== undefined;
  const [inbox, requests, known, policies, memories] = await Promise.all([
    listInbox(ctx, { ...query, tab: "pending" }),
    listPendingConsents(ctx, did, { limit: requestsMax }),
    isSearch ? listKnownAgents(ctx, query) : { agents: [] },
    isSearch ? listPolicies(ctx, did) : { standing: [] },
    isSearch ? searchMemories(ctx, query) : [],
  ]);
  const { items: proposals } = inbox;
  return { proposals, requests, agents: known.agents, policies: policies.standing, memories };
}

/** Finds live memories by words; the newest where there are none. */
export async function searchMemories(ctx: Ctx, query: SearchQuery): Promise<ShownMemory[]> {
  const { memories } = await browseMemories(ctx, { ...query, state: "live", sort: "newest" });
  return memories;
}
