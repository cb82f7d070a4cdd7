import { requestEndpoints } from "@/lib/http/requests/request-endpoints";
import { gatewayUrl } from "@/lib/http/session/gateway-url";
import { webhookEndpoints } from "@/lib/http/webhooks/webhook-endpoints";
import { connectingPaths } from "@/lib/oauth/openapi";
import { openApiDocument } from "@/lib/protocol/openapi/document";

const endpoints = [...Object.values(requestEndpoints), ...Object.values(webhookEndpoints)];
const beyond = { endpoints, paths: connectingPaths };

/** For tools of any origin: it says nothing that is not public. */
export async function GET(): Promise<Response> {
  return Response.json(openApiDocument(await gatewayUrl(), beyond), {
    headers: { "Cache-Control": "no-cache", "Access-Control-Allow-Origin": "*" },
  });
}
