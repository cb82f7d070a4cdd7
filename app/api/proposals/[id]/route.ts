import { protocolRoute } from "@/lib/http/protocol-route";
import { requestEndpoints } from "@/lib/http/requests/request-endpoints";
import { profileOf } from "@/lib/http/requests/request-verbs";
import { followProposal } from "@/lib/services/requests/follow";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = protocolRoute(
  requestEndpoints.followProposal,
  async ({ ctx, params: { id } }) => {
    const { did } = await profileOf(ctx, id);
    return { data: await followProposal(ctx, { did, id }) };
  },
);
