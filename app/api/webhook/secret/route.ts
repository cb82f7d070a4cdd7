import { protocolRoute } from "@/lib/http/protocol-route";
import { webhookEndpoints } from "@/lib/http/webhooks/webhook-endpoints";
import { callingAgent } from "@/lib/services/webhooks/webhook-gate";
import { rotateSecret } from "@/lib/services/webhooks/webhooks";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = protocolRoute(
  webhookEndpoints.rotateWebhookSecret,
  async ({ ctx }) => ({ data: await rotateSecret(ctx, callingAgent(ctx)) }),
);
