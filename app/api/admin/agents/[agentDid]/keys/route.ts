import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { addKey } from "@/lib/services/agents/keys";

export const POST = adminRoute(
  adminEndpoints.addKey,
  async ({ ctx, params: { agentDid: did }, body }) => ({
    data: await addKey(ctx, { did, ...body }),
  }),
);
