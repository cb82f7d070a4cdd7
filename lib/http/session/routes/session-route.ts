import type { z } from "zod";
import { userOfCookies } from "@/lib/auth/session";
import type { Body, EndpointMeta, Params, Query } from "@/lib/protocol/endpoints";
import { forbidden, notFound, signInFirst } from "@/lib/protocol/errors";
import { parseRequest } from "@/lib/protocol/requests";
import { mayAdminister } from "@/lib/rules/may";
import { callerOf, type Who } from "@/lib/services/accounts/sessions";
import { type Ctx, contextOf } from "@/lib/services/context";
import { admitPerson, chargingFailures, isFailedAuthentication } from "../../admission";
import { demandJson, parseJsonBody, readBody } from "../../body";
import { type Exchange, momentOf } from "../../exchange";
import { askedOf, incomingOf } from "../../incoming";
import { answer } from "../../reply";
import type { SessionEndpoint } from "../endpoints/endpoint";
import { refuseOtherSites } from "../same-origin";

export interface SessionCall<E extends SessionEndpoint> {
  request: Request;
  ctx: Ctx;
  who: Who;
  /** The network address that the request came from. */
  peer: string | null;
  params: Params<E>;
  query: Query<E>;
  body: Body<E>;
}

export interface SessionAnswer<E extends SessionEndpoint> {
  data: Sendable<z.output<E["data"]>>;
  meta?: Sendable<EndpointMeta<E>>;
  headers?: Record<string, string>;
}

/** What JSON makes a string of may still be an instant. */
type Sendable<T> = T extends string
  ? T | Date
  : T extends readonly (infer Item)[]
    ? readonly Sendable<Item>[]
    : T extends object
      ? { [Name in keyof T]: Sendable<T[Name]> }
      : T;

type Verb<E extends SessionEndpoint> = (
  call: SessionCall<E>,
) => Promise<SessionAnswer<E> | Response>;

/**
 * An endpoint for a script of the owner's: the session cookie says who it is, and a profile in the path
 * must be theirs. The order: other sites, size, session, limit, parameters and body, then the verb.
 */
export function sessionRoute<E extends SessionEndpoint>(endpoint: E, verb: Verb<E>): Route {
  return routeFor({ endpoint, verb, refuse: refuseOthersProfile });
}

/** The same for a script of an admin's, with the role that the database has at this request. */
export function adminRoute<E extends SessionEndpoint>(endpoint: E, verb: Verb<E>): Route {
  return routeFor({ endpoint, verb, refuse: () => undefined, admins: true });
}

type Route = (request: Request) => Promise<Response>;

interface Routing<E extends SessionEndpoint> {
  endpoint: E;
  verb: Verb<E>;
  refuse: (who: Who, params: object) => void;
  admins?: boolean;
}

function routeFor<E extends SessionEndpoint>({
  endpoint,
  verb,
  refuse,
  admins = false,
}: Routing<E>): Route {
  return (request) =>
    answer(request, async (exchange) => {
      refuseOtherSites(request, exchange.engine.env);
      const bytes = await readBody(request.body);
      // A body may take its time; what is decided is decided now.
      Object.assign(exchange, momentOf(exchange.engine, exchange.peer));
      const who = await admit(exchange, request.headers);
      if (admins) refuseNonAdmins(who);
      const asked = parse({ endpoint, request, bytes });
      refuse(who, asked.params);
      const ctx = ctxOf(exchange, who);
      const done = await verb({ request, ctx, who, peer: exchange.peer, ...asked });
      return done instanceof Response ? done : { status: endpoint.status, ...done };
    });
}

function refuseNonAdmins(who: Who): void {
  const permit = mayAdminister(callerOf(who));
  if (!permit.allowed) throw forbidden(permit.message);
}

async function admit(exchange: Exchange, headers: Headers): Promise<Who> {
  const who = await chargingFailures(exchange, isFailedAuthentication, async () => {
    const found = await userOfCookies(headers.get("cookie"));
    if (found === null) throw signInFirst();
    return found;
  });
  await admitPerson(exchange, who.userId);
  return who;
}

interface Parsing<E extends SessionEndpoint> {
  endpoint: E;
  request: Request;
  bytes: Uint8Array;
}

function parse<E extends SessionEndpoint>({ endpoint, request, bytes }: Parsing<E>) {
  const { params, query } = askedOf(endpoint, incomingOf(request));
  const contentType = request.headers.get("content-type");
  // A page elsewhere cannot say this without being asked first, so every change says it, body or none.
  if (endpoint.method !== "GET") demandJson(contentType);
  const body = endpoint.body === null ? undefined : parseJsonBody(contentType, bytes);
  return parseRequest(endpoint, { params, query, body });
}

// To anybody but its owner, a profile does not exist.
function refuseOthersProfile({ profiles }: Who, params: object): void {
  const did: unknown = Reflect.get(params, "did");
  if (did !== undefined && !profiles.some((own) => own.did === did)) throw notFound("profile");
}

function ctxOf({ engine, now, requestId }: Exchange, who: Who): Ctx {
  return { ...contextOf(engine, callerOf(who)), now, requestId };
}
