import { protocolRoute } from "@/lib/http/protocol-route";
import { endpoints } from "@/lib/protocol/endpoints";
import { getProfile } from "@/lib/services/profiles";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = protocolRoute(
  endpoints.getProfile,
  ({ ctx, params, query }) => getProfile(ctx, { ...params, ...query }),
);
