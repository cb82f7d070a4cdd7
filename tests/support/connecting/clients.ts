import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { afterAll } from "vitest";
import { randomBase62 } from "@/lib/engine/random";
import { mcpPath, oauthPaths } from "@/lib/oauth/metadata";
import type { Scope } from "@/lib/protocol/scope";
import { answerClient, type ConnectInput } from "@/lib/services/connect/connect";
import { createFrontDoor } from "@/server/front-door/front-door";
import { protocolRoute } from "@/server/front-door/protocol-routes";
import { listen } from "@/server/listen";
import type { TestEngine } from "../harness";
import { type Owner, signedIn } from "../personas";

// The front door on a port of its own, and what a client and its owner do there.

/** Returns the gateway's address. Await it at the top of the file. `before` may change what arrives. */
export async function openConnectDoor(
  engine: TestEngine,
  before: (request: IncomingMessage) => void = () => {},
): Promise<string> {
  const server = createFrontDoor({
    engine,
    protocolRoute,
    next: async (_request, response) => void response.writeHead(404).end(),
  });
  server.prependListener("request", before);
  const port = await listen(server, "127.0.0.1", 0);
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}

export const verifier = "v".repeat(43);
export const challenge = createHash("sha256").update(verifier).digest("base64url");
export const redirectUri = "http://localhost:4711/callback";

export async function registerAt(issuer: string, metadata: object = {}): Promise<string> {
  const body = JSON.stringify({ client_name: "Iris", redirect_uris: [redirectUri], ...metadata });
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(issuer + oauthPaths.register, { method: "POST", headers, body });
  if (response.status !== 201) throw new Error(await response.text());
  return (await response.json()).client_id;
}

/** The parameters of a request for authorization; one that is null is left out. */
export function question(clientId: string, changed: Record<string, string | null> = {}) {
  const all: Record<string, string | null> = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: "S256",
    state: randomBase62(10),
    scope: "prof:interests propose",
    ...changed,
  };
  return Object.entries(all).filter((one): one is [string, string] => one[1] !== null);
}

export function authorizeAt(issuer: string, pairs: [string, string][]): Promise<Response> {
  const url = `${issuer}${oauthPaths.authorize}?${new URLSearchParams(pairs)}`;
  return fetch(url, { redirect: "manual" });
}

/** What the page of the question is called. */
export async function nameOfQuestion(response: Response): Promise<string> {
  const location = response.headers.get("location") ?? "";
  const [, name] = /\/dashboard\/connect\/(\w{43})$/.exec(location) ?? [];
  if (name === undefined) throw new Error(`${response.status} ${await response.text()}${location}`);
  return name;
}

/** The owner's answer; returns the parameters that go back to the client. */
export async function consent(
  engine: TestEngine,
  owner: Owner,
  given: Partial<ConnectInput> & { name: string },
): Promise<URLSearchParams> {
  const { redirectTo } = await answerClient(signedIn(engine, owner), {
    did: owner.did,
    scopes: ["prof:interests"],
    proposes: true,
    choice: "30d",
    label: "Firefox on Linux",
    mode: "approval",
    ...given,
  });
  return new URL(redirectTo).searchParams;
}

export function tokenAt(issuer: string, form: Record<string, string> | [string, string][]) {
  const body = new URLSearchParams(form);
  return fetch(issuer + oauthPaths.token, { method: "POST", body });
}

export interface Pair {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  scope: string;
}

export interface ConnectedClient extends Pair {
  clientId: string;
  redeem: () => Promise<Response>;
}

interface Connecting {
  engine: TestEngine;
  issuer: string;
  owner: Owner;
  clientId?: string;
  scopes?: readonly Scope[];
  changed?: Record<string, string | null>;
}

/** From the registration to the first pair of tokens. */
export async function connectClient({
  engine,
  issuer,
  owner,
  scopes = ["prof:interests"],
  changed = {},
  ...given
}: Connecting): Promise<ConnectedClient> {
  const clientId = given.clientId ?? (await registerAt(issuer));
  const scope = `${scopes.join(" ")} propose`;
  const begun = await authorizeAt(issuer, question(clientId, { scope, ...changed }));
  const answer = await consent(engine, owner, { name: await nameOfQuestion(begun), scopes });
  const redeem = () =>
    tokenAt(issuer, {
      grant_type: "authorization_code",
      code: answer.get("code") ?? "",
      client_id: clientId,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
  const response = await redeem();
  if (response.status !== 200) throw new Error(await response.text());
  return { ...(await response.json()), clientId, redeem };
}

export function refreshAt(issuer: string, client: { clientId: string; refresh_token: string }) {
  const { clientId: client_id, refresh_token } = client;
  return tokenAt(issuer, { grant_type: "refresh_token", client_id, refresh_token });
}

/** A call of /mcp by hand, in the revision of 2026-07-28. */
export function callAt(
  issuer: string,
  { token, method, params = {}, headers = {} }: RawCall,
): Promise<Response> {
  const version = "2026-07-28";
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } });
  const named: Record<string, string> =
    params.name === undefined ? {} : { "Mcp-Name": String(params.name) };
  return fetch(issuer + mcpPath, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": version,
      "Mcp-Method": method,
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...named,
      ...headers,
    },
    body,
  });
}

interface RawCall {
  token?: string;
  method: string;
  params?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** What a tool answers: its structured content, or its refusal. */
export async function toolAt(
  issuer: string,
  { token, name, input = {} }: { token: string; name: string; input?: object },
) {
  const params = { name, arguments: input };
  const response = await callAt(issuer, { token, method: "tools/call", params });
  const { result, error } = await response.json();
  return { status: response.status, headers: response.headers, result, error };
}
