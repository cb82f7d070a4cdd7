import { brokenReference, databaseCode } from "@/lib/engine/db";
import type { Engine } from "@/lib/engine/engine";
import {
  GatewayError,
  internal,
  malformedRequest,
  notFound,
  unavailable,
} from "@/lib/protocol/errors";
import { supportedVersions } from "@/lib/protocol/version";
import { type Fields, isLoopbackHost, isPublic } from "./protocol-request";
import { openRequestContext, type RequestContext } from "./request-context";
import { securityHeaders } from "./security-headers";

export interface Success {
  status?: number;
  data: unknown;
  meta?: object;
  headers?: Record<string, string>;
}

/** A whole answer, before it is sent. */
export interface Reply {
  status: number;
  /** Name, value, name, value …, as node:http takes them without looking at each. */
  headers: string[];
  text: string;
}

export function succeed(
  context: RequestContext,
  { status = 200, data, meta, headers }: Success,
): Reply {
  const body = { success: true, data, meta: { ...meta, ...metaOf(context) } };
  return envelope(context, status, body, headers);
}

/** What is answered for it; what is no fault of the caller's is logged. */
export function loggedError(
  { engine, requestId }: Pick<RequestContext, "engine" | "requestId">,
  thrown: unknown,
): GatewayError {
  const error = asGatewayError(thrown);
  const { code, message, cause } = error;
  if (cause !== undefined) engine.log.error(message, { requestId, code, error: cause });
  return error;
}

export function fail(context: RequestContext, thrown: unknown): Reply {
  const error = loggedError(context, thrown);
  const { code, message, details } = error;
  const body = { success: false, error: { code, message, details }, meta: metaOf(context) };
  return envelope(context, error.http, body, error.headers);
}

/** Outside the protocol, the same envelope whatever happens. */
export async function answer(
  request: Request,
  work: (context: RequestContext) => Promise<Success | Response>,
): Promise<Response> {
  const context = openRequestContext(request.headers);
  try {
    const done = await work(context);
    return done instanceof Response ? done : responseOf(succeed(context, done));
  } catch (error) {
    return responseOf(fail(context, error));
  }
}

/** Refuses a request that failed before authentication and reaches no route. */
export function refuse(headers: Fields, error: GatewayError): Reply {
  const context = openRequestContext(headers);
  const { peerGuard } = context.engine;
  peerGuard.charge(context.peer, context.now);
  return fail({ ...context, standing: peerGuard.standing(context.peer, context.now) }, error);
}

const loopbackOnly =
  "This gateway answers as localhost, 127.0.0.1 and [::1] only. To use another name, set PUBLIC_URL to that address.";

/**
 * Refuses a request for another name while only this machine uses the gateway: a web page can point its own
 * name at its visitor's machine, and the browser would then let the page read every answer.
 */
export function refuseOtherName({ env }: Engine, fields: Fields, path: string): Reply | null {
  if (isPublic(env) || isLoopbackHost(fields.get("host") ?? "")) return null;
  return refuseAt(path, fields, malformedRequest(loopbackOnly, 421));
}

/** Refuses before any route: in the envelope below /prof and /api, as plain text elsewhere. */
export function refuseAt(path: string, fields: Fields, error: GatewayError): Reply {
  const context = openRequestContext(fields);
  if (/^\/(prof|api)(\/|\?|$)/.test(path)) return fail(context, error);
  const https = context.engine.env.PUBLIC_URL[0]?.startsWith("https:") ?? false;
  const headers = {
    ...securityHeaders({ https }),
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    ...error.headers,
  };
  return {
    status: error.http,
    headers: Object.entries(headers).flat(),
    text: `${error.message}\n`,
  };
}

export function responseOf({ status, headers, text }: Reply): Response {
  const fields = new Headers();
  for (let at = 0; at < headers.length; at += 2) {
    fields.append(headers[at] ?? "", headers[at + 1] ?? "");
  }
  return new Response(text, { status, headers: fields });
}

export function outcomeOf(thrown: unknown): string {
  return asGatewayError(thrown).code;
}

/** When a caller that met an outage may retry. */
export const retryAfterSeconds = 5;

/** Anything that no named function built is a bug, or the database that went away. */
export function asGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  // A profile that was erased while something was being added to it.
  if (brokenReference(thrown)?.endsWith("_profileId_fkey")) return notFound("profile");
  return isConnectionFailure(thrown) ? unavailable(thrown, retryAfterSeconds) : internal(thrown);
}

function metaOf({ requestId, now }: RequestContext): { requestId: string; timestamp: string } {
  return { requestId, timestamp: now.toISOString() };
}

function envelope(
  { requestId, standing, version, engine }: RequestContext,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): Reply {
  const https = engine.env.PUBLIC_URL[0]?.startsWith("https:") ?? false;
  const fields = [
    ...(https ? alwaysOverHttps : always),
    "PROF-Version",
    version,
    "X-Request-Id",
    requestId,
    "X-RateLimit-Limit",
    String(standing.limit),
    "X-RateLimit-Remaining",
    String(standing.remaining),
    "X-RateLimit-Reset",
    String(Math.ceil(standing.resetAt.getTime() / 1000)),
  ];
  for (const [name, value] of Object.entries(headers)) fields.push(name, value);
  return { status, text: JSON.stringify(body), headers: fields };
}

// An object of so many members, created for each answer, takes a hundred times as long as a list.
const [always, alwaysOverHttps] = [false, true].map((https) =>
  Object.entries({
    ...securityHeaders({ https }),
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "private, no-store",
    Vary: "Authorization",
    "PROF-Version-Supported": supportedVersions.join(", "),
  }).flat(),
) as [string[], string[]];

// Codes of the socket, of Prisma (P2028: no connection for a transaction in time) and of PostgreSQL: connection
// (08), no resources (53), stopped (57), disk (58), a second deadlock (40P01), a lock not released in time
// (55P03), and a statement after one of these (25P02).
const awayCode =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|P1001|P1002|P1008|P1017|P2024|P2028|P2037|08...|25P02|40P01|53...|55P03|57014|57P0.|58...|ConnectionClosed|DatabaseNotReachable|SocketTimeout)$/;

// `pg` has no code for these.
const withoutCode =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (has encountered a connection error|was closed) and is not queryable)/;

export function isConnectionFailure(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const codes = [Reflect.get(thrown, "code"), databaseCode(thrown)];
  if (codes.some((code) => awayCode.test(String(code)))) return true;
  return withoutCode.test(thrown.message) || isConnectionFailure(thrown.cause);
}
