import { GatewayError, internal, unavailable } from "@/lib/protocol/errors";
import { supportedVersions } from "@/lib/protocol/version";
import { type Exchange, openExchange } from "./exchange";
import { securityHeaders } from "./security-headers";

export interface Success {
  status?: number;
  data: unknown;
  meta?: object;
}

/** An answer whole, before a door sends it. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  text: string;
}

export function succeed(exchange: Exchange, { status = 200, data, meta }: Success): Reply {
  return envelope(exchange, status, {
    success: true,
    data,
    meta: { ...meta, ...metaOf(exchange) },
  });
}

export function fail(exchange: Exchange, thrown: unknown): Reply {
  const error = asGatewayError(thrown);
  if (error.cause !== undefined) {
    const { requestId } = exchange;
    exchange.engine.log.error(error.message, { requestId, code: error.code, error: error.cause });
  }
  const { code, message, details } = error;
  const body = { success: false, error: { code, message, details }, meta: metaOf(exchange) };
  return envelope(exchange, error.http, body, error.headers);
}

/** Outside the protocol, the same envelope whatever happens. */
export async function answer(
  request: Request,
  work: (exchange: Exchange) => Promise<Success | Response>,
): Promise<Response> {
  const exchange = openExchange(request.headers);
  try {
    const done = await work(exchange);
    return done instanceof Response ? done : responseOf(succeed(exchange, done));
  } catch (error) {
    return responseOf(fail(exchange, error));
  }
}

export function responseOf({ status, headers, text }: Reply): Response {
  return new Response(text, { status, headers });
}

export function outcomeOf(thrown: unknown): string {
  return asGatewayError(thrown).code;
}

// Anything that no named function built is a bug, or the database that went away.
function asGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  return isConnectionFailure(thrown) ? unavailable(thrown, 5) : internal(thrown);
}

function metaOf({ requestId, now }: Exchange): { requestId: string; timestamp: string } {
  return { requestId, timestamp: now.toISOString() };
}

function envelope(
  { requestId, standing, version, engine }: Exchange,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): Reply {
  const https = engine.env.PUBLIC_URL[0]?.startsWith("https:") ?? false;
  return {
    status,
    text: JSON.stringify(body),
    headers: {
      ...securityHeaders({ https }),
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "private, no-store",
      Vary: "Authorization",
      "PROF-Version": version,
      "PROF-Version-Supported": supportedVersions.join(", "),
      "X-Request-Id": requestId,
      "X-RateLimit-Limit": String(standing.limit),
      "X-RateLimit-Remaining": String(standing.remaining),
      "X-RateLimit-Reset": String(Math.ceil(standing.resetAt.getTime() / 1000)),
      ...headers,
    },
  };
}

const connectionFailures = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "P1001",
  "P1002",
  "P1008",
  "P1017",
  "P2024",
  "57014",
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "08000",
  "08003",
  "08006",
]);

// `pg` has no code for these.
const withoutCode =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout)/;

function isConnectionFailure(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if ("code" in thrown && connectionFailures.has(String(thrown.code))) return true;
  if (withoutCode.test(thrown.message)) return true;
  return isConnectionFailure(thrown.cause);
}
