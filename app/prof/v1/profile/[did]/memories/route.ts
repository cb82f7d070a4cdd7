import { protocolRoute } from "@/lib/http/protocol-route";
import { endpoints } from "@/lib/protocol/endpoints";
import { listMemories } from "@/lib/services/memories/list";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = protocolRoute(
  endpoints.listMemories,
  ({ ctx, params, query }) => listMemories(ctx, { ...params, ...query }),
);
