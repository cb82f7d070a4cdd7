import { type NextRequest, NextResponse } from "next/server";
import { providerOrigins } from "@/lib/auth/providers";
import { userOfCookies } from "@/lib/auth/session";
import { engine } from "@/lib/engine/engine";
import type { Env } from "@/lib/engine/env";
import { publicFormBytesMax } from "@/lib/http/body";
import { prefetchHeader } from "@/lib/http/peer";
import { isConnectionFailure, refuseAt, refuseOtherName, responseOf } from "@/lib/http/reply";
import {
  clearedAtSignOut,
  mayBeInPopup,
  pagePolicy,
  securityHeaders,
} from "@/lib/http/security-headers";
import { returnCookie, returnCookieAfter } from "@/lib/http/session/address/return-path";
import { admitPerson, admitView } from "@/lib/http/session/admit-person";
import { isFromOtherSite, otherSiteRefusal } from "@/lib/http/session/same-origin";
import { GatewayError, signInFirst } from "@/lib/protocol/errors";

// Dresses every answer of Next's with the security headers, and takes no form from another site: Next.js
// compares hosts too, but answers with 500. Who may do what is decided elsewhere.
export async function proxy(request: NextRequest): Promise<Response> {
  const { env } = engine();
  const otherName = refuseOtherName(engine(), request.headers, request.nextUrl.pathname);
  if (otherName !== null) return responseOf(otherName);
  const visitor = await admitVisitor(request);
  if (visitor instanceof Response) return visitor;
  const { pathname } = request.nextUrl;
  const https = env.PUBLIC_URL[0]?.startsWith("https:") ?? false;
  const headers = securityHeaders({ https, inPopup: mayBeInPopup(pathname) });
  const policy = isPage(pathname) ? freshPolicy(env) : undefined;
  if (policy !== undefined) headers["Content-Security-Policy"] = policy;
  if (endsSignOut(request)) headers["Clear-Site-Data"] = clearedAtSignOut;
  const response =
    policy !== undefined && isForm(request) && isFromOtherSite(request, env)
      ? refusal(env)
      : NextResponse.next({ request: { headers: sentWith(request, policy) } });
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  if (visitor !== "unknown") rememberPage(request, response, visitor);
  return response;
}

// Next cuts what goes through here at 10 MB, and an import may be larger; the front door dresses that.
export const config = { matcher: "/((?!api/profile/import$).*)" };

const personal = /^\/(dashboard|admin)(\/|$)/;

type Visitor = "signed in" | "signed out" | "unknown";

// Counts what the visitor of a personal page asks for. A form renders its page as well, whether or not it is one of
// ours; a large one counts as a change before it is read, as that takes the thread. A page that is prefetched is not
// rendered, so it is not counted.
async function admitVisitor(request: NextRequest): Promise<Visitor | Response> {
  const { headers, nextUrl } = request;
  const isLargeForm = Number(headers.get("content-length") ?? 0) > publicFormBytesMax;
  if (!personal.test(nextUrl.pathname)) return "unknown";
  if (!isForm(request) && headers.has(prefetchHeader)) return "unknown";
  try {
    const exchange = { engine: engine(), now: engine().now() };
    const who = await userOfCookies(headers.get("cookie"));
    if (who === null && isLargeForm) throw signInFirst();
    if (who !== null) await (isLargeForm ? admitPerson : admitView)(exchange, who.userId);
    return who === null ? "signed out" : "signed in";
  } catch (error) {
    if (error instanceof GatewayError)
      return responseOf(refuseAt(nextUrl.pathname, headers, error));
    // The page needs the database too, and says so.
    if (isConnectionFailure(error)) return "unknown";
    throw error;
  }
}

function rememberPage(
  { nextUrl: url, cookies }: NextRequest,
  response: NextResponse,
  visitor: "signed in" | "signed out",
): void {
  const cookie = returnCookieAfter({
    url,
    isSignedIn: visitor === "signed in",
    isRemembered: cookies.has(returnCookie),
    isHttps: engine().env.PUBLIC_URL[0]?.startsWith("https:") ?? false,
  });
  if (cookie !== null) response.headers.append("Set-Cookie", cookie);
}

// A server action chooses no headers of its answer: the page that it leads to says it.
function endsSignOut({ nextUrl: { pathname, searchParams } }: NextRequest): boolean {
  if (pathname === "/goodbye") return true;
  const from = searchParams.get("from") ?? "";
  return pathname === "/sign-in" && ["sign-out", "reset"].includes(from);
}

const notPages = /^\/(api|prof|oauth|mcp|\.well-known|_next)(\/|$)|^\/[^/]+\.[a-z0-9]+$/;

function isPage(pathname: string): boolean {
  return !notPages.test(pathname);
}

function isForm({ method }: NextRequest): boolean {
  return method !== "GET" && method !== "HEAD";
}

function refusal(env: Env): NextResponse {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  return new NextResponse(`${otherSiteRefusal(env).message}\n`, { status: 403, headers });
}

function freshPolicy(env: Env): string {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const development = env.NODE_ENV === "development";
  return pagePolicy({ nonce, development, formTargets: providerOrigins(env) });
}

// Next takes the nonce from the request; one that a client chose must not get there.
function sentWith(request: NextRequest, policy: string | undefined): Headers {
  const headers = new Headers(request.headers);
  headers.delete("content-security-policy-report-only");
  if (policy === undefined) headers.delete("content-security-policy");
  else headers.set("content-security-policy", policy);
  return headers;
}
