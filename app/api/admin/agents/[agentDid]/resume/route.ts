import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { resumeAgent } from "@/lib/services/admin/agents/change-agent";

export const POST = adminRoute(
  adminEndpoints.resumeAgent,
  async ({ ctx, params: { agentDid: did } }) => {
    await resumeAgent(ctx, did);
    return { data: { id: did } };
  },
);
