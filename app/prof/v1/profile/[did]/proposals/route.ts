import { protocolRoute } from "@/lib/http/protocol-route";
import { endpoints } from "@/lib/protocol/endpoints";
import { listProposals } from "@/lib/services/proposals/list";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = protocolRoute(
  endpoints.listProposals,
  ({ ctx, params, query }) => listProposals(ctx, { ...params, ...query }),
);
