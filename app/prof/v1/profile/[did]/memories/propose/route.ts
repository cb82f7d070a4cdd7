import { protocolRoute } from "@/lib/http/protocol-route";
import { endpoints } from "@/lib/protocol/endpoints";
import { proposeMemory } from "@/lib/services/proposals/propose";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = protocolRoute(
  endpoints.proposeMemory,
  ({ ctx, params, body }) => proposeMemory(ctx, { ...params, ...body }),
);
