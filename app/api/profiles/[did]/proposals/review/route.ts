import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import { sessionRoute } from "@/lib/http/session/routes/session-route";
import { reviewMany } from "@/lib/services/proposals/review-many";

export const POST = sessionRoute(
  sessionEndpoints.reviewProposals,
  async ({ ctx, params, body }) => ({ data: await reviewMany(ctx, { ...params, ...body }) }),
);
