import { cursorOf, placeOf } from "@/lib/http/session/cursor";
import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import { sessionRoute } from "@/lib/http/session/routes/session-route";
import { listReceipts } from "@/lib/services/receipts/list-receipts";

export const GET = sessionRoute(
  sessionEndpoints.listReceipts,
  async ({ ctx, params: { did }, query: { state, limit, cursor } }) => {
    const place = placeOf(cursor);
    const after = place && { grantedAt: place.at, id: place.id };
    const { receipts, hasMore } = await listReceipts(ctx, { did, state, limit, after });
    const last = hasMore ? receipts.at(-1) : undefined;
    const next = cursorOf(last ? { at: last.grantedAt, id: last.id } : null);
    return { data: receipts, meta: { count: receipts.length, next } };
  },
);
