import { protocolRoute } from "@/lib/http/protocol-route";
import { endpoints } from "@/lib/protocol/endpoints";
import { requestAccess } from "@/lib/services/receipts/receipts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = protocolRoute(
  endpoints.requestAccess,
  ({ ctx, params, body, origin }) => requestAccess(ctx, { ...params, ...body, origin }),
);
