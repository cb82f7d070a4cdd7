import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import { sessionRoute } from "@/lib/http/session/routes/session-route";
import { getProfile } from "@/lib/services/profiles";

export const GET = sessionRoute(sessionEndpoints.getProfile, ({ ctx, params: { did }, query }) =>
  getProfile(ctx, { did, scopes: query.scopes }),
);
