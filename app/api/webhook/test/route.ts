import { protocolRoute } from "@/lib/http/protocol-route";
import { webhookEndpoints } from "@/lib/http/webhooks/webhook-endpoints";
import { callingAgent } from "@/lib/services/webhooks/webhook-gate";
import { testWebhook } from "@/lib/services/webhooks/webhooks";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = protocolRoute(
  webhookEndpoints.testWebhook,
  async ({ ctx }) => ({ status: 202, data: await testWebhook(ctx, callingAgent(ctx)) }),
);
