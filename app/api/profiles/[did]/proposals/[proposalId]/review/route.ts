import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import { sessionRoute } from "@/lib/http/session/routes/session-route";
import { reviewProposal } from "@/lib/services/proposals/review";

export const POST = sessionRoute(
  sessionEndpoints.reviewProposal,
  async ({ ctx, params, body }) => ({ data: await reviewProposal(ctx, { ...params, ...body }) }),
);
