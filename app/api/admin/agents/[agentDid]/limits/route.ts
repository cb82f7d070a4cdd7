import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { setLimits } from "@/lib/services/admin/agents/change-agent";

export const PUT = adminRoute(
  adminEndpoints.setLimits,
  async ({ ctx, params: { agentDid: did }, body }) => {
    await setLimits(ctx, { did, ...body });
    return { data: { id: did } };
  },
);
