import { type OAuthCode, OAuthError } from "@/lib/oauth/oauth-error";
import { loggedError, type Reply } from "../reply";
import type { RequestContext } from "../request-context";
import { securityHeaders } from "../security-headers";

// OAuth's own answers: bare JSON, which a client may read from another origin, as it holds a code or a token already.

interface Answer {
  status?: number;
  body?: object;
  headers?: Record<string, string>;
}

export function bare(
  { engine, requestId }: Pick<RequestContext, "engine" | "requestId">,
  { status = 200, body, headers }: Answer,
): Reply {
  const https = engine.env.PUBLIC_URL[0]?.startsWith("https:") ?? false;
  const all = {
    ...securityHeaders({ https, inPopup: true }),
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Request-Id": requestId,
    "Access-Control-Allow-Origin": "*",
    ...headers,
  };
  const text = body === undefined ? "" : JSON.stringify(body);
  return { status, headers: Object.entries(all).flat(), text };
}

/** For the client's developer; what is no OAuth error is logged as every other. */
export function refuseBare(context: RequestContext, thrown: unknown): Reply {
  if (thrown instanceof OAuthError) {
    const { status, code, message } = thrown;
    return bare(context, { status, body: errorBody(code, message) });
  }
  const error = loggedError(context, thrown);
  const code = error.http >= 500 ? "server_error" : "invalid_request";
  const isBusy = error.http === 429 || error.http === 503;
  const body = errorBody(isBusy ? "temporarily_unavailable" : code, error.message);
  return bare(context, { status: error.http, body, headers: error.headers });
}

function errorBody(error: OAuthCode | "server_error" | "temporarily_unavailable", words: string) {
  return { error, error_description: words };
}

/** Whether it may be a guess at a code, a token or a client, which its peer is charged for. */
export function isGuess(error: unknown): boolean {
  return error instanceof OAuthError && ["invalid_grant", "invalid_client"].includes(error.code);
}
