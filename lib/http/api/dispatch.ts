import { userOfCookies } from "@/lib/auth/session";
import { matchPath } from "@/lib/protocol/endpoints";
import { forbidden, notFound, signInFirst } from "@/lib/protocol/errors";
import { parseRequest } from "@/lib/protocol/requests";
import { mayAdminister } from "@/lib/rules/may";
import { callerOf, type SessionUser } from "@/lib/services/accounts/sessions";
import { type Ctx, contextOf } from "@/lib/services/context";
import { chargingFailures, isFailedAuthentication } from "../admission";
import { demandJson, parseJsonBody, readBody } from "../body";
import {
  matchTarget,
  originOf,
  type ProtocolRequest,
  protocolRequestOf,
} from "../protocol-request";
import { answerOtherMethod, answerUnknownPath } from "../protocol-route";
import { answer, responseOf } from "../reply";
import { clockOf, type RequestContext } from "../request-context";
import { admitPerson } from "../session/admit-person";
import { refuseOtherSites } from "../session/same-origin";
import type { ApiEndpoint } from "./endpoint";

/** Dispatches to the row that matches the path and the method. */
export function apiRoute(rows: readonly ApiEndpoint[]): (request: Request) => Promise<Response> {
  return async (request) => {
    const incoming = protocolRequestOf(request);
    const here = rows.filter(({ path }) => matchPath(path, incoming.segments ?? []) !== null);
    // The server sends only the head of an answer to HEAD.
    const method = request.method === "HEAD" ? "GET" : request.method;
    const row = here.find((one) => one.method === method);
    if (row !== undefined) return answerRow(row, request, incoming);
    const allow = here.map((one) => one.method);
    const refusing = here.length === 0 ? answerUnknownPath : answerOtherMethod(allow);
    return responseOf(await refusing(incoming));
  };
}

/**
 * The session cookie identifies the user. A profile in the path must be theirs; /api/admin needs the role as
 * the database has it now. The order: origin, size, session, limit, role, parameters and body, verb.
 */
function answerRow(
  row: ApiEndpoint,
  request: Request,
  incoming: ProtocolRequest,
): Promise<Response> {
  const isAdmins = row.path.startsWith("/api/admin/");
  return answer(request, async (context) => {
    refuseOtherSites(request, context.engine.env);
    const bytes = await readBody(request.body);
    // Reading a body takes time; the decision is as of now.
    Object.assign(context, clockOf(context.engine, context.peer));
    const who = await admit(context, request.headers);
    if (isAdmins) refuseNonAdmins(who);
    const given = parse({ row, incoming, bytes });
    if (!isAdmins) refuseOthersProfile(who, given.params);
    const { peer, engine } = context;
    const called = { request, who, peer, origin: originOf(engine.env, incoming), ...given };
    const done = await row.answer({ ctx: ctxOf(context, who), ...called });
    return done instanceof Response ? done : { status: row.status, ...done };
  });
}

function refuseNonAdmins(who: SessionUser): void {
  const permit = mayAdminister(callerOf(who));
  if (!permit.allowed) throw forbidden(permit.message);
}

async function admit(context: RequestContext, headers: Headers): Promise<SessionUser> {
  const who = await chargingFailures(context, isFailedAuthentication, async () => {
    const found = await userOfCookies(headers.get("cookie"));
    if (found === null) throw signInFirst();
    return found;
  });
  await admitPerson(context, who.userId);
  return who;
}

interface Parsing {
  row: ApiEndpoint;
  incoming: ProtocolRequest;
  bytes: Uint8Array;
}

function parse({ row, incoming, bytes }: Parsing) {
  const { params, query } = matchTarget(row, incoming);
  const contentType = incoming.fields.get("content-type");
  // Another site cannot send this header without a preflight, so every change needs it, with or without a body.
  if (row.method !== "GET") demandJson(contentType);
  const body = row.body === null ? undefined : parseJsonBody(contentType, bytes);
  return parseRequest(row, { params, query, body });
}

// A profile does not exist for anybody but its owner.
function refuseOthersProfile({ profiles }: SessionUser, params: object): void {
  const did: unknown = Reflect.get(params, "did");
  if (did !== undefined && !profiles.some((own) => own.did === did)) throw notFound("profile");
}

function ctxOf({ engine, now, requestId }: RequestContext, who: SessionUser): Ctx {
  return { ...contextOf(engine, callerOf(who)), now, requestId };
}
