import { operatorRoute } from "@/lib/http/operator-route";

export const GET = operatorRoute(async ({ metrics }) => {
  const headers = { "Content-Type": metrics.contentType, "Cache-Control": "no-store" };
  return new Response(await metrics.text(), { headers });
});
