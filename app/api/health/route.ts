import { NextResponse } from "next/server";

export const dynamic = "force-dynamic";

/** Lives: the process answers. Whether it can work is /api/health/ready. */
export function GET(): Response {
  return NextResponse.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } });
}
