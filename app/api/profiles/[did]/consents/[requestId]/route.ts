import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import { sessionRoute } from "@/lib/http/session/routes/session-route";
import { decideConsent } from "@/lib/services/access/consents";

export const POST = sessionRoute(sessionEndpoints.decideConsent, async ({ ctx, params, body }) => {
  await decideConsent(ctx, { ...params, ...body });
  return { data: { id: params.requestId } };
});
