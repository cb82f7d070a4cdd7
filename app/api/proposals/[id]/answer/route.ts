import { protocolRoute } from "@/lib/http/protocol-route";
import { requestEndpoints } from "@/lib/http/requests/request-endpoints";
import { profileOf } from "@/lib/http/requests/request-verbs";
import { answerWhy } from "@/lib/services/requests/inquiry";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = protocolRoute(
  requestEndpoints.answerProposalInquiry,
  async ({ ctx, params: { id }, body: { answer } }) => {
    const { did } = await profileOf(ctx, id);
    return { data: { inquiry: await answerWhy(ctx, { did, id, answer }) } };
  },
);
