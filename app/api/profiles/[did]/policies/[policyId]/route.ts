import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import { sessionRoute } from "@/lib/http/session/routes/session-route";
import { editPolicy, switchPolicy } from "@/lib/services/policies/policies";
import { removePolicy } from "@/lib/services/policies/remove";

export const PUT = sessionRoute(
  sessionEndpoints.editPolicy,
  async ({ ctx, params, body: { updatedAt: shownAs, policy } }) => {
    await editPolicy(ctx, { ...params, shownAs, policy });
    return { data: { id: params.policyId } };
  },
);

export const PATCH = sessionRoute(sessionEndpoints.switchPolicy, async ({ ctx, params, body }) => {
  await switchPolicy(ctx, { ...params, ...body });
  return { data: { id: params.policyId } };
});

export const DELETE = sessionRoute(sessionEndpoints.removePolicy, async ({ ctx, params }) => {
  await removePolicy(ctx, params);
  return { data: { id: params.policyId } };
});
