import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { suspendAgent } from "@/lib/services/admin/agents/change-agent";

export const POST = adminRoute(
  adminEndpoints.suspendAgent,
  async ({ ctx, params: { agentDid: did }, body: { reason } }) => {
    await suspendAgent(ctx, { did, reason });
    return { data: { id: did } };
  },
);
