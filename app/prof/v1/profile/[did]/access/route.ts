import { protocolRoute } from "@/lib/http/protocol-route";
import { deferred } from "@/lib/http/requests/request-verbs";
import { endpoints } from "@/lib/protocol/endpoints";
import { requestAccess } from "@/lib/services/receipts/receipts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = protocolRoute(
  endpoints.requestAccess,
  ({ ctx, params, body, origin, waits }) =>
    requestAccess(ctx, { ...params, ...body, origin }).catch((thrown: unknown) =>
      deferred(ctx, { thrown, waits }),
    ),
);
