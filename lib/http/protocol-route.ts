import type { Authenticated } from "@/lib/auth/authenticate";
import type { Did } from "@/lib/protocol/did";
import {
  type Body,
  type Data,
  type Endpoint,
  type EndpointMeta,
  matchEndpoint,
  type Params,
  type Query,
} from "@/lib/protocol/endpoints";
import {
  invalidRequest,
  malformedRequest,
  methodNotAllowed,
  notFound,
} from "@/lib/protocol/errors";
import { parseRequest } from "@/lib/protocol/requests";
import { decodePath, decodeQuery, type QueryPair } from "@/lib/protocol/signature";
import { resolveVersion, supportedVersions } from "@/lib/protocol/version";
import { type Ctx, contextOf } from "@/lib/services/context";
import { admit } from "./admission";
import { parseJsonBody, readBody } from "./body";
import { type Exchange, momentOf, openExchange } from "./exchange";
import { fail, outcomeOf, succeed } from "./reply";

export type RouteFunction = (request: Request) => Promise<Response>;

export interface Call<E extends Endpoint> {
  ctx: Ctx;
  params: Params<E>;
  query: Query<E>;
  body: Body<E>;
  /** Where the dashboard is, for links in an answer. */
  origin: string;
}

export interface Answer<E extends Endpoint> {
  status?: number;
  data: Data<E>;
  meta?: EndpointMeta<E>;
}

type Verb<E extends Endpoint> = (call: Call<E>) => Promise<Answer<E>>;

type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
type Methods = Record<Method, RouteFunction>;

/** An endpoint's route: its own method, and the envelope for every other. */
export function protocolRoute<E extends Endpoint>(endpoint: E, verb: Verb<E>): Methods {
  return {
    ...everyMethod(answerOtherMethod([endpoint.method])),
    [endpoint.method]: (request: Request) => answer({ endpoint, verb, request }),
  };
}

/** Whose profile a request without a DID is about. Decisions 3: a signature does not say. */
export function ownProfile({ caller }: Pick<Ctx, "caller">): Did {
  if (caller.kind === "token") return caller.profileDid;
  const message = "Without a DID it needs a connection token; with a signature, name the DID.";
  throw invalidRequest([{ path: "path", message }]);
}

/** Every method of a path that the protocol does not know. */
export function unknownPath(): Methods {
  return everyMethod(answerUnknownPath);
}

export async function answerUnknownPath(request: Request): Promise<Response> {
  return fail(openExchange(request.headers), notFound("path"));
}

export function answerOtherMethod(allow: readonly string[]): RouteFunction {
  return async (request) => fail(openExchange(request.headers), methodNotAllowed(allow));
}

type Asked<E extends Endpoint> = { endpoint: E; verb: Verb<E>; request: Request };

// Decisions 2, the order on every request: size, peer, credential, nonce and limit, version,
// parameters and body, then the verb.
async function answer<E extends Endpoint>({ endpoint, verb, request }: Asked<E>) {
  const exchange = openExchange(request.headers);
  const began = performance.now();
  let outcome = "ok";
  let response: Response;
  try {
    const target = readTarget(endpoint, request);
    const body = await readBody(request);
    // A body may take its time; what is decided is decided now.
    Object.assign(exchange, momentOf(exchange.engine, exchange.peer));
    const authenticated = await admit(exchange, { endpoint, request, body });
    exchange.version = versionOf(request.headers);
    const asked = parse({ endpoint, request, target, body, authenticated });
    const ctx = contextIn(exchange, authenticated);
    response = succeed(
      exchange,
      await verb({ ctx, origin: originOf(exchange, request), ...asked }),
    );
  } catch (error) {
    outcome = outcomeOf(error);
    response = fail(exchange, error);
  }
  note(exchange, { endpoint, outcome, response, seconds: (performance.now() - began) / 1_000 });
  return response;
}

function contextIn({ engine, now, requestId }: Exchange, { caller }: Authenticated): Ctx {
  return { ...contextOf(engine, caller), now, requestId };
}

function versionOf(headers: Headers): string {
  const version = resolveVersion(headers.get("prof-version"));
  if (version !== null) return version;
  const issue = {
    path: "headers.PROF-Version",
    message: "Must be a version of details.supportedVersions.",
  };
  throw invalidRequest([issue], { supportedVersions });
}

interface Target {
  params: Record<string, string>;
  query: QueryPair[];
}

// The front door has refused what cannot be read in one way; behind another door this does.
function readTarget(endpoint: Endpoint, request: Request): Target {
  const { pathname, search } = new URL(request.url);
  const segments = decodePath(pathname);
  const query = decodeQuery(search.slice(1));
  if (segments === null || query === null) {
    throw malformedRequest("The request target is not well-formed.");
  }
  const match = matchEndpoint(endpoint.method, segments);
  // Next.js takes a path with a slash behind it for the same one.
  if (match === null || "allow" in match) throw notFound("path");
  return { params: match.params, query };
}

type Parsing<E extends Endpoint> = {
  endpoint: E;
  request: Request;
  target: Target;
  body: Uint8Array<ArrayBuffer>;
  authenticated: Authenticated;
};

function parse<E extends Endpoint>(parsing: Parsing<E>) {
  const { endpoint, request, target, body, authenticated } = parsing;
  if (!endpoint.credentials.includes("signature")) ownProfile(authenticated);
  const contentType = request.headers.get("content-type");
  const json = endpoint.body === null ? undefined : parseJsonBody(contentType, body);
  return parseRequest(endpoint, { ...target, body: json });
}

function originOf({ engine }: Exchange, request: Request): string {
  return engine.env.PUBLIC_URL[0] ?? new URL(request.url).origin;
}

type Done = { endpoint: Endpoint; outcome: string; response: Response; seconds: number };

function note({ engine, requestId }: Exchange, { endpoint, outcome, response, seconds }: Done) {
  engine.metrics.requestDone({ endpoint: endpoint.name, outcome, seconds });
  engine.log.info("answered", {
    requestId,
    endpoint: endpoint.name,
    status: response.status,
    code: outcome,
    durationMs: Math.round(seconds * 1e5) / 100,
  });
}

function everyMethod(route: RouteFunction): Methods {
  return {
    GET: route,
    HEAD: route,
    POST: route,
    PUT: route,
    PATCH: route,
    DELETE: route,
    OPTIONS: route,
  };
}
