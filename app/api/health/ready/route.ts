import { NextResponse } from "next/server";
import { operatorRoute } from "@/lib/http/operator-route";
import { checkReadiness } from "@/lib/services/health";

export const GET = operatorRoute(async (engine) => {
  const readiness = await checkReadiness(engine);
  const headers = { "Cache-Control": "no-store" };
  return NextResponse.json(readiness, { status: readiness.ready ? 200 : 503, headers });
});
