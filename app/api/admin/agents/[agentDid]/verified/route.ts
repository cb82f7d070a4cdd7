import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { verifyAgent } from "@/lib/services/admin/agents/change-agent";

export const PUT = adminRoute(
  adminEndpoints.verifyAgent,
  async ({ ctx, params: { agentDid: did }, body }) => {
    await verifyAgent(ctx, { did, ...body });
    return { data: { id: did } };
  },
);
