import type { z } from "zod";
import { GET as route } from "@/app/api/[...path]/route";
import type { Engine } from "@/lib/engine/engine";
import type { ApiEndpoint } from "@/lib/http/api/endpoint";
import type { Did } from "@/lib/protocol/did";
import { envelope } from "@/lib/protocol/resources";
import { gatewayUrl } from "./harness";
import { giveSession } from "./personas";
import { type Reply, replyOf } from "./wire";

// The dashboard's API as a script calls it: its route, with a session's cookie.

/** The cookie of somebody who has just signed in. */
export async function signedInCookie(engine: Engine, { userId }: { userId: string }) {
  const { token } = await giveSession(engine, { userId });
  return `gateway-session=${token}`;
}

export interface Sent {
  cookie?: string;
  params?: Record<string, string>;
  query?: Record<string, string> | [name: string, value: string][];
  /** Text goes as it is. */
  body?: unknown;
  headers?: Record<string, string | null>;
}

export async function ask(endpoint: ApiEndpoint, sent: Sent = {}): Promise<Reply> {
  return replyOf(await send(endpoint, sent));
}

/** The data of an answer that is just as the table says. */
export async function answerOf<E extends ApiEndpoint>(
  endpoint: E,
  sent: Sent,
): Promise<{ data: z.output<E["data"]>; meta: z.output<E["meta"]> }> {
  const { status, body } = await ask(endpoint, sent);
  if (status !== endpoint.status) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return envelope(endpoint.data, endpoint.meta).parse(body) as never;
}

export async function send(endpoint: ApiEndpoint, sent: Sent): Promise<Response> {
  const { cookie, params = {}, query = {}, body, headers = {} } = sent;
  const target = endpoint.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(params[name] ?? ""),
  );
  const url = `${gatewayUrl}${target}?${new URLSearchParams(query)}`;
  const isChange = endpoint.method !== "GET";
  const all: Record<string, string | null> = {
    ...(isChange ? { "Content-Type": "application/json" } : {}),
    Host: new URL(gatewayUrl).host,
    Cookie: cookie ?? null,
    ...headers,
  };
  const set = Object.entries(all).filter((one): one is [string, string] => one[1] !== null);
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const { method } = endpoint;
  return route(new Request(url, { method, headers: Object.fromEntries(set), body: text }));
}

/** An acceptance of the transfer of this profile that its parties are shown now. */
export async function shownTransfer(engine: Engine, did: Did) {
  const transfer = await engine.db.transfer.findFirst({ where: { profile: { did } } });
  return { did, requestedAt: transfer?.createdAt.toISOString() ?? "", accepts: true };
}
