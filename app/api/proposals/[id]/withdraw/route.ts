import { protocolRoute } from "@/lib/http/protocol-route";
import { requestEndpoints } from "@/lib/http/requests/request-endpoints";
import { profileOf } from "@/lib/http/requests/request-verbs";
import { withdrawProposal } from "@/lib/services/requests/withdraw";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = protocolRoute(
  requestEndpoints.withdrawProposal,
  async ({ ctx, params: { id } }) => {
    const { did } = await profileOf(ctx, id);
    return { data: await withdrawProposal(ctx, { did, id }) };
  },
);
