import { ownProfile, protocolRoute } from "@/lib/http/protocol-route";
import { endpoints } from "@/lib/protocol/endpoints";
import { getProfile } from "@/lib/services/profiles";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = protocolRoute(
  endpoints.getOwnProfile,
  ({ ctx, query }) => getProfile(ctx, { did: ownProfile(ctx), ...query }),
);
