import { cursorOf, placeOf } from "@/lib/http/session/cursor";
import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { listAgents } from "@/lib/services/admin/agents/list-agents";
import { registerAgent } from "@/lib/services/agents/register";

export const GET = adminRoute(
  adminEndpoints.listAgents,
  async ({ ctx, query: { cursor, ...query } }) => {
    const place = placeOf(cursor);
    const after = place && { createdAt: place.at, did: place.id };
    const { agents, next } = await listAgents(ctx, { ...query, after });
    const end = next && { at: next.createdAt, id: next.did };
    return {
      data: agents.map(({ registeredBy: _by, ...agent }) => agent),
      meta: { count: agents.length, next: cursorOf(end) },
    };
  },
);

export const POST = adminRoute(adminEndpoints.registerAgent, async ({ ctx, body }) => {
  const { did, status } = await registerAgent(ctx, { ...body, mode: "closed" });
  return { data: { did, status } };
});
