import { protocolRoute } from "@/lib/http/protocol-route";
import { endpoints } from "@/lib/protocol/endpoints";
import { reviewProposal } from "@/lib/services/proposals/deciding/review";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = protocolRoute(
  endpoints.reviewProposal,
  async ({ ctx, params, body }) => ({ data: await reviewProposal(ctx, { ...params, ...body }) }),
);
