import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { refuseAgent } from "@/lib/services/admin/agents/change-agent";

export const POST = adminRoute(
  adminEndpoints.refuseAgent,
  async ({ ctx, params: { agentDid: did }, body: { reason } }) => {
    await refuseAgent(ctx, { did, reason });
    return { data: { id: did } };
  },
);
