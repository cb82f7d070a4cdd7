import { gatewayUrl } from "@/app/docs/_parts/gateway-url";
import { openApiDocument } from "@/lib/protocol/openapi";

/** For tools of any origin: it says nothing that is not public. */
export async function GET(): Promise<Response> {
  return Response.json(openApiDocument(await gatewayUrl()), {
    headers: { "Cache-Control": "no-cache", "Access-Control-Allow-Origin": "*" },
  });
}
