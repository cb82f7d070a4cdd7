import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import { sessionRoute } from "@/lib/http/session/routes/session-route";
import { listPendingConsents, type PendingConsent } from "@/lib/services/access/consents";

export const GET = sessionRoute(sessionEndpoints.listConsents, async ({ ctx, params: { did } }) => {
  const pending = await listPendingConsents(ctx, did);
  return { data: pending.map(requestOf), meta: { count: pending.length } };
});

function requestOf({ agentDid: _same, agent, ...request }: PendingConsent) {
  const { did, name, verified } = agent;
  return { ...request, agent: { did, name, verified } };
}
