import { cursorOf, placeOf } from "@/lib/http/session/cursor";
import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import { sessionRoute } from "@/lib/http/session/routes/session-route";
import { listTokens } from "@/lib/services/tokens/list-tokens";
import { issueToken } from "@/lib/services/tokens/tokens";

export const GET = sessionRoute(
  sessionEndpoints.listTokens,
  async ({ ctx, params: { did }, query: { state, limit, cursor } }) => {
    const asked = { did, state, limit, after: placeOf(cursor) };
    const { tokens, next } = await listTokens(ctx, asked);
    return { data: tokens, meta: { count: tokens.length, next: cursorOf(next) } };
  },
);

export const POST = sessionRoute(
  sessionEndpoints.issueToken,
  async ({ ctx, params: { did }, body }) => ({ data: await issueToken(ctx, { did, ...body }) }),
);
