import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import { sessionRoute } from "@/lib/http/session/routes/session-route";
import { revokeToken } from "@/lib/services/tokens/tokens";

export const DELETE = sessionRoute(sessionEndpoints.revokeToken, async ({ ctx, params }) => {
  await revokeToken(ctx, params);
  return { data: { id: params.tokenId } };
});
