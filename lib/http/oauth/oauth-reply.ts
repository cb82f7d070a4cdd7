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

type Answering = Pick<RequestContext, "engine" | "requestId">;

/** What each answer to a program carries. */
export function programHeaders({ engine, requestId }: Answering): Record<string, string> {
  const https = engine.env.PUBLIC_URL[0]?.startsWith("https:") ?? false;
  return {
    ...securityHeaders({ https, inPopup: true }),
    "Cache-Control": "no-store",
    "X-Request-Id": requestId,
  };
}

export function oauthReply(context: Answering, { status = 200, body, headers }: Answer): Reply {
  const all = {
    ...programHeaders(context),
    "Content-Type": "application/json; charset=utf-8",
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
    return oauthReply(context, { status, body: errorBody(code, message) });
  }
  const error = loggedError(context, thrown);
  const code = error.http >= 500 ? "server_error" : "invalid_request";
  const isBusy = error.http === 429 || error.http === 503;
  const body = errorBody(isBusy ? "temporarily_unavailable" : code, error.message);
  return oauthReply(context, { status: error.http, body, headers: error.headers });
}

function errorBody(error: OAuthCode | "server_error" | "temporarily_unavailable", words: string) {
  return { error, error_description: words };
}

/** Whether it may be a guess at a code, a token or a client, which its peer is charged for. */
export function isGuess(error: unknown): boolean {
  return error instanceof OAuthError && ["invalid_grant", "invalid_client"].includes(error.code);
}
