import { cursorOf, placeOf } from "@/lib/http/session/cursor";
import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import { sessionRoute } from "@/lib/http/session/routes/session-route";
import { type InboxItem, listInbox } from "@/lib/services/proposals/inbox";

export const GET = sessionRoute(
  sessionEndpoints.listProposals,
  async ({ ctx, params: { did }, query }) => {
    const { status: tab, agent: agentDid, category, cursor, limit } = query;
    const from = placeOf(cursor);
    const after = from && { at: from.at.toISOString(), id: from.id };
    const { items, next } = await listInbox(ctx, { did, tab, agentDid, category, after, limit });
    const place = next === null ? null : { at: new Date(next.at), id: next.id };
    return { data: items.map(proposalOf), meta: { count: items.length, next: cursorOf(place) } };
  },
);

function proposalOf(item: InboxItem) {
  const { id, agent, content, category, confidence, context, status } = item;
  const { proposedAt, expiresAt, decidedAt, reason, memory } = item;
  const proposed = { id, agent, content, category, confidence, context, proposedAt, expiresAt };
  return { ...proposed, status, decidedAt, reason, memoryId: memory?.id ?? null };
}
