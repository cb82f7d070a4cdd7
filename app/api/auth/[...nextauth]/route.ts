import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { authOptions } from "@/lib/auth/session";
import { engine } from "@/lib/engine/engine";
import { peerOf } from "@/lib/http/peer";
import { clearedAtSignOut } from "@/lib/http/security-headers";

interface Context {
  params: Promise<{ nextauth: string[] }>;
}

const bodyBytesMax = 16 * 1024;

async function handle(request: NextRequest, context: Context): Promise<Response> {
  const { nextauth } = await context.params;
  if (isClosed(request.method, nextauth)) return new Response(null, { status: 404 });
  if (request.method === "POST" && !isSmall(request)) return new Response(null, { status: 413 });
  const peer = peerOf(request.headers, engine().env.TRUST_PROXY_HOPS);
  const response: Response = await NextAuth(request, context, authOptions(peer));
  response.headers.set("Cache-Control", "private, no-store");
  if (request.method === "POST" && nextauth[0] === "signout") {
    response.headers.set("Clear-Site-Data", clearedAtSignOut);
  }
  return response;
}

// The first lets a stranger write into our log; to the second, a password in an address, next-auth says 500.
function isClosed(method: string, [action, provider]: string[]): boolean {
  return (
    action === "_log" || (method !== "POST" && action === "callback" && provider === "credentials")
  );
}

// next-auth reads a body whole, whatever its size.
function isSmall(request: NextRequest): boolean {
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  return length <= bodyBytesMax;
}

export { handle as GET, handle as POST };
