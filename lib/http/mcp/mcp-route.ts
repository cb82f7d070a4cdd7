import { type Authenticated, authenticate } from "@/lib/auth/authenticate";
import { resourceMetadataUrl, resourceOf } from "@/lib/oauth/metadata";
import { listedScopes, scopeText } from "@/lib/oauth/scopes";
import { forbidden, malformedRequest, methodNotAllowed, unauthorized } from "@/lib/protocol/errors";
import { chargingFailures, isFailedAuthentication } from "../admission";
import { readBody } from "../body";
import { parseStrictJson } from "../json/strict-json";
import { issuerOf } from "../oauth/issuer";
import { oauthReply, programHeaders } from "../oauth/oauth-reply";
import type { ProtocolRequest } from "../protocol-request";
import { loggedError, type Reply } from "../reply";
import { clockOf, openRequestContext, type RequestContext } from "../request-context";
import type { ToolCall } from "./run-tool";
import { mcpHandler } from "./server";

// Streamable HTTP without sessions: each request has its token, and each answer stands alone.

const passedOn = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];

export async function answerMcp(incoming: ProtocolRequest): Promise<Reply> {
  const context = openRequestContext(incoming.fields);
  const issuer = issuerOf(context.engine.env, incoming);
  try {
    refuseForeignOrigin(context, { incoming, issuer });
    // Every client's first call has no token. It is no guess, and the challenge says where to get one.
    if (incoming.fields.get("authorization") === null) throw unauthorized();
    const body = await readBody(incoming.body);
    // Reading it takes time; the decision is as of now.
    Object.assign(context, clockOf(context.engine, context.peer));
    const by = await chargingFailures(context, isFailedAuthentication, () =>
      recognise(context, { incoming, issuer }),
    );
    if (incoming.method !== "POST") throw methodNotAllowed(["POST"]);
    const call = { context, by, issuer, message: messageIn(body) };
    return await replyOf(context, await handle(call, incoming));
  } catch (thrown) {
    return refuse(context, { thrown, issuer, isBare: !incoming.fields.get("authorization") });
  }
}

interface Calling {
  incoming: ProtocolRequest;
  issuer: string;
}

// A page of another site could make its visitor's browser call us: it has no token, but need not be answered.
function refuseForeignOrigin({ engine }: RequestContext, { incoming, issuer }: Calling): void {
  const origin = incoming.fields.get("origin");
  if (origin === null || origin === issuer) return;
  const own = engine.env.PUBLIC_URL.map((url) => new URL(url).origin);
  if (!own.includes(origin)) throw forbidden("Pages of other sites cannot call /mcp.");
}

function recognise(
  { engine, now }: RequestContext,
  { incoming, issuer }: Calling,
): Promise<Authenticated> {
  const authorization = incoming.fields.get("authorization");
  const unsigned = { method: "POST", segments: [], query: [], authority: "" };
  const body = new Uint8Array();
  const resource = resourceOf(issuer);
  return authenticate({ engine, now, ...unsigned, authorization, body, resource });
}

async function handle(call: ToolCall, { fields }: ProtocolRequest): Promise<Response> {
  const headers = new Headers();
  for (const name of passedOn) {
    const value = fields.get(name);
    if (value !== null) headers.set(name, value);
  }
  const url = resourceOf(call.issuer);
  const request = new Request(url, { method: "POST", headers });
  const { caller } = call.by;
  const scopes = caller.kind === "token" ? scopeText(reachOf(caller)).split(" ") : [];
  return mcpHandler().fetch(request, {
    parsedBody: call.message,
    authInfo: {
      token: "",
      clientId: call.by.signer.did,
      scopes,
      resource: new URL(url),
      resourceMetadataUrl: resourceMetadataUrl(call.issuer),
      extra: { call },
    },
  });
}

function messageIn(body: Uint8Array): unknown {
  const parsed = parseStrictJson(body);
  if ("issues" in parsed) {
    const [{ path, message } = { path: "body", message: "" }] = parsed.issues;
    throw malformedRequest(`${path}: ${message}`);
  }
  // The revisions since 2025-06-18 have no batches; each call here has a server and a limit of its own.
  if (Array.isArray(parsed.value))
    throw malformedRequest("Send one message at a time, not a batch.");
  return parsed.value;
}

function reachOf({
  scopes,
  permissions,
}: {
  scopes: readonly string[];
  permissions: readonly string[];
}) {
  return { scopes: [...scopes], proposes: permissions.includes("propose") };
}

// What is kept, and for how long the line is open, is ours to say.
const notPassedBack = new Set(["cache-control", "connection"]);

async function replyOf(context: RequestContext, response: Response): Promise<Reply> {
  // No page of another origin reads it.
  const headers = Object.entries(programHeaders(context)).flat();
  for (const [name, value] of response.headers) {
    if (!notPassedBack.has(name)) headers.push(name, value);
  }
  return { status: response.status, headers, text: await response.text() };
}

interface Refusing {
  thrown: unknown;
  issuer: string;
  /** Nobody was named, so that no token was wrong. */
  isBare: boolean;
}

function refuse(context: RequestContext, { thrown, issuer, isBare }: Refusing): Reply {
  const error = loggedError(context, thrown);
  const headers = { ...error.headers, ...(error.http === 401 ? challenge(issuer, isBare) : {}) };
  const body = { error: error.code, error_description: error.message };
  return oauthReply(context, { status: error.http, body, headers });
}

/** RFC 9728, 5.1: where a client finds how to get a token. */
function challenge(issuer: string, isBare: boolean): Record<string, string> {
  const parts = [
    ...(isBare ? [] : ['error="invalid_token"']),
    `resource_metadata="${resourceMetadataUrl(issuer)}"`,
    `scope="${listedScopes.join(" ")}"`,
  ];
  return { "WWW-Authenticate": `Bearer ${parts.join(", ")}` };
}
