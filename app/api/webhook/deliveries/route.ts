import { protocolRoute } from "@/lib/http/protocol-route";
import { webhookEndpoints } from "@/lib/http/webhooks/webhook-endpoints";
import { listDeliveries } from "@/lib/services/webhooks/deliveries";
import { callingAgent } from "@/lib/services/webhooks/webhook-gate";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = protocolRoute(
  webhookEndpoints.listDeliveries,
  async ({ ctx, query }) => {
    const input = { did: callingAgent(ctx), ...query };
    const { deliveries, next } = await listDeliveries(ctx, input);
    return { data: deliveries, meta: { next } };
  },
);
