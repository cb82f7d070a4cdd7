import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { approveAgent } from "@/lib/services/admin/agents/change-agent";

export const POST = adminRoute(
  adminEndpoints.approveAgent,
  async ({ ctx, params: { agentDid: did } }) => {
    await approveAgent(ctx, did);
    return { data: { id: did } };
  },
);
