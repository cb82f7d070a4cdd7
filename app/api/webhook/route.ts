import { engine } from "@/lib/engine/engine";
import { protocolPath, protocolRoute } from "@/lib/http/protocol-route";
import { webhookEndpoints } from "@/lib/http/webhooks/webhook-endpoints";
import { notFound } from "@/lib/protocol/errors";
import { callingAgent } from "@/lib/services/webhooks/webhook-gate";
import { findWebhook, removeWebhook, setWebhook } from "@/lib/services/webhooks/webhooks";

const { GET: get } = protocolRoute(webhookEndpoints.getWebhook, async ({ ctx }) => {
  const data = await findWebhook(ctx, callingAgent(ctx));
  if (data === null) throw notFound("webhook");
  return { data };
});

const { PUT: put } = protocolRoute(webhookEndpoints.setWebhook, async ({ ctx, body }) => {
  const allowsLoopback = engine().env.NODE_ENV !== "production";
  const input = { did: callingAgent(ctx), ...body, allowsLoopback };
  const { webhook, secret } = await setWebhook(ctx, input);
  return { status: secret === null ? 200 : 201, data: { ...webhook, secret } };
});

const { DELETE: remove } = protocolRoute(webhookEndpoints.removeWebhook, async ({ ctx }) => {
  await removeWebhook(ctx, callingAgent(ctx));
  return { data: {} };
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = protocolPath({
  GET: get,
  PUT: put,
  DELETE: remove,
});
