import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import { sessionRoute } from "@/lib/http/session/routes/session-route";
import { shelveMemory } from "@/lib/services/memories/edit";

export const POST = sessionRoute(sessionEndpoints.undeleteMemory, async ({ ctx, params }) => {
  const changed = await shelveMemory(ctx, { ...params, how: "undelete" });
  return { data: { id: params.memoryId, revisionId: changed?.revisionId ?? null } };
});
