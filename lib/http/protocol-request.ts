import type { Env } from "@/lib/engine/env";
import { matchPath } from "@/lib/protocol/endpoints";
import { malformedRequest, notFound } from "@/lib/protocol/errors";
import { authorityOf, decodePath, decodeQuery, type QueryPair } from "@/lib/protocol/signature";

// A request as routes read it. Next.js provides a Request, the front door node:http's message; converting one
// into the other takes longer than most of the rest.

/** Header fields by their lower-case names, as `Headers` gives them. */
export interface Fields {
  get(name: string): string | null;
}

export interface ProtocolRequest extends Target {
  method: string;
  /** host[:port] as the client wrote it. */
  host: string;
  fields: Fields;
  body: AsyncIterable<Uint8Array> | null;
}

/** Decoded once; null if it can be read in two ways. */
export interface Target {
  segments: readonly string[] | null;
  query: readonly QueryPair[] | null;
}

export function protocolRequestOf({ method, url, headers, body }: Request): ProtocolRequest {
  const { pathname, search, host } = new URL(url);
  // Below /api, Next.js makes up the URL; the Host header is the client's.
  const written = headers.get("host") ?? host;
  return { method, ...targetOf(pathname + search), host: written, fields: headers, body };
}

/** Parses a path and query as sent, percent-encoded. */
export function targetOf(sent: string): Target {
  const mark = sent.indexOf("?");
  return {
    segments: decodePath(mark === -1 ? sent : sent.slice(0, mark)),
    query: decodeQuery(mark === -1 ? "" : sent.slice(mark + 1)),
  };
}

/** Returns the raw parameters of the endpoint's path and query. */
export function matchTarget({ path }: { path: string }, { segments, query }: Target) {
  // The front door has rejected these already; `next start` has not.
  if (segments === null || query === null) {
    throw malformedRequest("The request target is not well-formed.");
  }
  const params = matchPath(path, segments);
  // Next.js takes a path with a slash behind it for the same one.
  if (params === null) throw notFound("path");
  return { params, query };
}

/** The address of this gateway: the canonical one, or the one that the client used. */
export function originOf(
  { PUBLIC_URL: [first] }: Pick<Env, "PUBLIC_URL">,
  { host }: ProtocolRequest,
): string {
  return first ?? `http://${host}`;
}

// Nearly all requests have the same host, so the last result is kept.
let last: { host: string; authority: string | null } = { host: "", authority: null };

/** Returns the authority that a Host header names, normalised as in a URL; null if it is not host or host:port. */
export function authorityIn(host: string): string | null {
  if (host !== last.host) last = { host, authority: authorityOrNull(host) };
  return last.authority;
}

// The longest DNS name with a port and brackets.
const hostLengthMax = 264;

// An address is put together with it: a slash or an @ would make another one of it.
function authorityOrNull(host: string): string | null {
  if (host.length > hostLengthMax) return null;
  const address = `http://${host}`;
  return /^[^\s/?#@\\]+$/.test(host) && URL.canParse(address) ? authorityOf(address) : null;
}

const loopbackNames: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Returns whether PUBLIC_URL names another machine than this one. */
export function isPublic({ PUBLIC_URL }: Pick<Env, "PUBLIC_URL">): boolean {
  return PUBLIC_URL.some((url) => !loopbackNames.has(new URL(url).hostname));
}

/** Returns whether a valid Host header names the machine itself, on any port. */
export function isLoopbackHost(host: string): boolean {
  return loopbackNames.has((authorityIn(host) ?? "").replace(/:\d+$/, ""));
}
