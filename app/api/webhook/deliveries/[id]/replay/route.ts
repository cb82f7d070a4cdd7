import { protocolRoute } from "@/lib/http/protocol-route";
import { webhookEndpoints } from "@/lib/http/webhooks/webhook-endpoints";
import { replayDelivery } from "@/lib/services/webhooks/deliveries";
import { callingAgent } from "@/lib/services/webhooks/webhook-gate";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = protocolRoute(
  webhookEndpoints.replayDelivery,
  async ({ ctx, params: { id } }) => {
    await replayDelivery(ctx, { did: callingAgent(ctx), id });
    return { status: 202, data: { id } };
  },
);
