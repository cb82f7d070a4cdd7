import { multibaseOf } from "@/lib/auth/keys/public-key";
import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { deleteAgent } from "@/lib/services/admin/agents/change-agent";
import { findAgent } from "@/lib/services/admin/agents/list-agents";

export const GET = adminRoute(adminEndpoints.getAgent, async ({ ctx, params: { agentDid } }) => {
  const { agent, keys, users, proposals, days } = await findAgent(ctx, agentDid);
  const { registeredBy: _by, ...shown } = agent;
  const shownKeys = keys.map((key) => ({ ...key, publicKey: multibaseOf(key.publicKey) }));
  return { data: { ...shown, users, proposals, days, keys: shownKeys } };
});

export const DELETE = adminRoute(
  adminEndpoints.deleteAgent,
  async ({ ctx, params: { agentDid } }) => {
    await deleteAgent(ctx, agentDid);
    return { data: { id: agentDid } };
  },
);
