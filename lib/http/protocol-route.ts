import type { z } from "zod";
import type { Authenticated } from "@/lib/auth/authenticate";
import type { Did } from "@/lib/protocol/did";
import {
  type Body,
  type Data,
  type Endpoint,
  type EndpointMeta,
  endpoints,
  type Params,
  type Query,
} from "@/lib/protocol/endpoints";
import { invalidRequest, methodNotAllowed, notFound } from "@/lib/protocol/errors";
import { parseRequest } from "@/lib/protocol/requests";
import { resolveVersion, supportedVersions } from "@/lib/protocol/version";
import type { Ctx } from "@/lib/services/context";
import { type Admitted, admit } from "./admission";
import { parseJsonBody, readBody } from "./body";
import { contextIn, precomputing } from "./precompute";
import {
  type Fields,
  matchTarget,
  originOf,
  type ProtocolRequest,
  protocolRequestOf,
} from "./protocol-request";
import { fail, outcomeOf, type Reply, responseOf, succeed } from "./reply";
import { clockOf, openRequestContext, type RequestContext } from "./request-context";
import { waitSecondsIn } from "./requests/await-decision";
import type { Sendable } from "./sendable";

/** Answers a request of the front door. */
export type Answering = (incoming: ProtocolRequest) => Promise<Reply>;

/** A route for Next.js, which passes a Request; `directly` is the route without Next.js. */
export interface RouteFunction {
  (request: Request): Promise<Response>;
  directly: Answering;
}

export interface Call<E extends Endpoint> {
  ctx: Ctx;
  params: Params<E>;
  query: Query<E>;
  body: Body<E>;
  /** Where the dashboard is, for links in an answer. */
  origin: string;
  /** For how many seconds the caller would rather wait for a decision; null where it does not say. */
  waits: number | null;
}

export interface Answer<E extends Endpoint> {
  status?: number;
  data: Sendable<Data<E>>;
  meta?: EndpointMeta<E>;
  headers?: Record<string, string>;
}

/** It waits for the owner, and can be looked up at `Location`. */
export interface Deferred<E extends Endpoint> {
  status: 202;
  data: E["waits"] extends z.ZodType ? Sendable<z.output<E["waits"]>> : never;
  headers: Record<string, string>;
}

type Verb<E extends Endpoint> = (call: Call<E>) => Promise<Answer<E> | Deferred<E>>;

type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
type Methods = Record<Method, RouteFunction>;

/** An endpoint's route: its own method, and the envelope for every other. */
export function protocolRoute<E extends Endpoint>(endpoint: E, verb: Verb<E>): Methods {
  const route = routeOf((incoming) => answer({ endpoint, verb, incoming }));
  return protocolPath({ [endpoint.method]: route });
}

/** A path whose methods are different endpoints. */
export function protocolPath(routes: Partial<Methods>): Methods {
  return { ...everyMethod(answerOtherMethod(Object.keys(routes))), ...routes };
}

/** Returns the profile of a request that names no DID: the token's. Protocol 3. */
export function ownProfile({ caller }: Pick<Ctx, "caller">): Did {
  if (caller.kind === "token") return caller.profileDid;
  const message = "Without a DID it needs a connection token; with a signature, name the DID.";
  throw invalidRequest([{ path: "path", message }]);
}

/** Every method of a path that the protocol does not know. */
export function unknownPath(): Methods {
  return everyMethod(answerUnknownPath);
}

export async function answerUnknownPath({ fields, segments }: ProtocolRequest): Promise<Reply> {
  const hint = lacksDid(segments)
    ? `Put the owner's DID into the path: ${endpoints.getProfile.path}/${segments?.[3]}.`
    : undefined;
  return fail(openRequestContext(fields), notFound("path", hint));
}

const paths = Object.values(endpoints).map(({ path }) => path);
const belowDid = new Set(paths.map((path) => path.split("{did}/")[1]?.split("/")[0]));

/** Whether a path has the name of something in a profile where the DID of the profile's owner belongs. */
export function lacksDid(segments: ProtocolRequest["segments"]): boolean {
  if (segments?.slice(0, 3).join("/") !== endpoints.getOwnProfile.path.slice(1)) return false;
  const isKnown = paths.some((path) => path === `/${segments.join("/")}`);
  return segments[3] !== undefined && belowDid.has(segments[3]) && !isKnown;
}

export function answerOtherMethod(allow: readonly string[]): Answering {
  return async ({ fields }) => fail(openRequestContext(fields), methodNotAllowed(allow));
}

function routeOf(directly: Answering): RouteFunction {
  const route = async (request: Request) => {
    const incoming = protocolRequestOf(request);
    // The front door has checked the whole path; Next.js accepts any segment as a DID.
    const answering = lacksDid(incoming.segments) ? answerUnknownPath : directly;
    return responseOf(await answering(incoming));
  };
  return Object.assign(route, { directly });
}

type Input<E extends Endpoint> = { endpoint: E; verb: Verb<E>; incoming: ProtocolRequest };

// Protocol 2, the order on every request: size, credential, nonce and limit, version, parameters and
// body, then the verb.
async function answer<E extends Endpoint>({ endpoint, verb, incoming }: Input<E>): Promise<Reply> {
  const context = openRequestContext(incoming.fields);
  const began = performance.now();
  let outcome = "ok";
  let reply: Reply;
  try {
    const target = matchTarget(endpoint, incoming);
    const body = await readBody(incoming.body);
    // Reading a body takes time; the decision is as of now.
    if (incoming.body !== null) Object.assign(context, clockOf(context.engine, context.peer));
    const profileDid = target.params.did;
    const origin = originOf(context.engine.env, incoming);
    const waits = waitSecondsIn(incoming.fields.get("prefer"));
    const work = async (by: Admitted, ctx = contextIn(context, by)) => {
      versionOf(incoming.fields);
      const input = parse({ endpoint, incoming, target, body, authenticated: by });
      return verb({ ctx, origin, waits, ...input });
    };
    const knocking = { endpoint, incoming, body, profileDid };
    const precompute = endpoint.method === "GET" ? precomputing(context, work) : undefined;
    const { precomputed, ...admitted } = await admit(context, knocking, precompute);
    context.version = versionOf(incoming.fields);
    reply = succeed(context, await (precomputed ? precomputed.answer() : work(admitted)));
  } catch (error) {
    outcome = outcomeOf(error);
    reply = fail(context, error);
  }
  note(context, { endpoint, outcome, reply, seconds: (performance.now() - began) / 1_000 });
  return reply;
}

function versionOf(headers: Fields): string {
  const version = resolveVersion(headers.get("prof-version"));
  if (version !== null) return version;
  const issue = {
    path: "headers.PROF-Version",
    message: "Must be a version of details.supportedVersions.",
  };
  throw invalidRequest([issue], { supportedVersions });
}

type Parsing<E extends Endpoint> = {
  endpoint: E;
  incoming: ProtocolRequest;
  target: ReturnType<typeof matchTarget>;
  body: Uint8Array<ArrayBuffer>;
  authenticated: Authenticated;
};

function parse<E extends Endpoint>(parsing: Parsing<E>) {
  const { endpoint, incoming, target, body, authenticated } = parsing;
  if (!endpoint.credentials.includes("signature")) ownProfile(authenticated);
  const contentType = incoming.fields.get("content-type");
  const json = endpoint.body === null ? undefined : parseJsonBody(contentType, body);
  return parseRequest(endpoint, { ...target, body: json });
}

type Done = { endpoint: Endpoint; outcome: string; reply: Reply; seconds: number };

function note(context: RequestContext, { endpoint, outcome, reply, seconds }: Done) {
  const { engine, requestId, isAuthenticated } = context;
  engine.metrics.requestDone({ endpoint: endpoint.name, outcome, seconds });
  // A stranger beyond the peer's limit would fill the log; the metrics count these.
  const level = reply.status === 429 && !isAuthenticated ? "debug" : "info";
  engine.log[level]("answered", {
    requestId,
    endpoint: endpoint.name,
    status: reply.status,
    code: outcome,
    durationMs: Math.round(seconds * 1e5) / 100,
  });
}

function everyMethod(answering: Answering): Methods {
  const route = routeOf(answering);
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
