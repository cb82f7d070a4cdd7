import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import { sessionRoute } from "@/lib/http/session/routes/session-route";
import { restoreRevision } from "@/lib/services/memories/restore";

export const POST = sessionRoute(sessionEndpoints.restoreRevision, async ({ ctx, params }) => {
  const changed = await restoreRevision(ctx, params);
  return { data: { revisionId: changed?.revisionId ?? null } };
});
