import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { setCeiling } from "@/lib/services/admin/agents/change-agent";

export const PUT = adminRoute(
  adminEndpoints.setCeiling,
  async ({ ctx, params: { agentDid: did }, body }) => {
    await setCeiling(ctx, { did, ...body });
    return { data: { id: did } };
  },
);
