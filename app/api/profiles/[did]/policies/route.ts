import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import { sessionRoute } from "@/lib/http/session/routes/session-route";
import { type ListedPolicy, listPolicies } from "@/lib/services/policies/list";
import { addPolicy } from "@/lib/services/policies/policies";

export const GET = sessionRoute(sessionEndpoints.listPolicies, async ({ ctx, params: { did } }) => {
  const { standing } = await listPolicies(ctx, did);
  return { data: standing.map(policyOf), meta: { count: standing.length } };
});

export const POST = sessionRoute(
  sessionEndpoints.addPolicy,
  async ({ ctx, params: { did }, body }) => ({
    data: { id: await addPolicy(ctx, { did, policy: { ...body, origin: "owner" } }) },
  }),
);

// Who and what it stands for, the dashboard says beside it.
function policyOf({ agent: _agent, consent: _consent, token: _token, ...policy }: ListedPolicy) {
  return policy;
}
