import { protocolRoute } from "@/lib/http/protocol-route";
import { requestEndpoints } from "@/lib/http/requests/request-endpoints";
import { answerFollowing } from "@/lib/http/requests/request-verbs";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = protocolRoute(
  requestEndpoints.followAccess,
  ({ ctx, params, waits }) => answerFollowing(ctx, { ...params, waits }),
);
