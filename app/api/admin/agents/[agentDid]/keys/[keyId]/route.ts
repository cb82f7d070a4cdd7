import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { revokeKey } from "@/lib/services/agents/keys";

export const DELETE = adminRoute(
  adminEndpoints.revokeKey,
  async ({ ctx, params: { agentDid: did, keyId } }) => {
    await revokeKey(ctx, { did, keyId });
    return { data: { id: keyId } };
  },
);
