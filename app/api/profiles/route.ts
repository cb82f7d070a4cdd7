import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import { sessionRoute } from "@/lib/http/session/routes/session-route";
import { Did } from "@/lib/protocol/did";

export const GET = sessionRoute(sessionEndpoints.listProfiles, async ({ who: { profiles } }) => ({
  data: profiles.map(({ did }) => ({ did: Did.parse(did) })),
  meta: { count: profiles.length },
}));
