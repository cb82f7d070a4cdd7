import { cookies } from "next/headers";
import { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { authOptions } from "@/lib/auth/session";
import { engine } from "@/lib/engine/engine";

// Signing in with a provider begins in a form of ours, before any script: next-auth's own beginning wants
// a token that only a script could fetch. So its two endpoints are called from here.

/** Where the browser goes next; what next-auth wants to find when it comes back is in cookies. */
export async function beginProviderSignIn(provider: string, back: string): Promise<string> {
  const { csrfToken } = await (await call("csrf")).json();
  const body = new URLSearchParams({ csrfToken, callbackUrl: back, json: "true" });
  const { url } = await (await call(`signin/${provider}`, body)).json();
  if (typeof url !== "string") throw new Error("next-auth did not say where to go");
  return url;
}

async function call(path: string, body?: URLSearchParams): Promise<Response> {
  // The host is not looked at: next-auth knows its address from NEXTAUTH_URL.
  const request = new NextRequest(`http://gateway.internal/api/auth/${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: body?.toString(),
  });
  const params = Promise.resolve({ nextauth: path.split("/") });
  const response: Response = await NextAuth(request, { params }, authOptions(null));
  const jar = await cookies();
  for (const line of response.headers.getSetCookie()) keep(jar, line);
  return response;
}

function keep(jar: Awaited<ReturnType<typeof cookies>>, line: string): void {
  const [pair = "", ...rest] = line.split("; ");
  const at = pair.indexOf("=");
  const attributes = new Map(
    rest.map((one) => {
      const [name = "", value = ""] = one.split("=");
      return [name.toLowerCase(), value];
    }),
  );
  const maxAge = Number(attributes.get("max-age") ?? Number.NaN);
  jar.set(pair.slice(0, at), decodeURIComponent(pair.slice(at + 1)), {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: engine().env.PUBLIC_URL[0]?.startsWith("https:") ?? false,
    ...(Number.isNaN(maxAge) ? {} : { maxAge }),
  });
}
