import { createHash, type KeyObject, randomUUID, sign } from "node:crypto";
import { formatSignature, formatToken } from "@/lib/protocol/authorization-header";
import type { Did } from "@/lib/protocol/did";
import {
  canonicalPath,
  canonicalQuery,
  canonicalText,
  decodePath,
  decodeQuery,
} from "@/lib/protocol/signature";

export type CallerName = "agent" | "token" | "client" | "owner" | "other" | "stranger" | "nobody";

/** The gateway that is tested, and the callers of its requests. */
export interface World {
  host: string;
  port: number;
  userDid: Did;
  otherDid: Did;
  signers: Partial<Record<CallerName, { did: Did; key: KeyObject }>>;
  token: string | null;
  /** A program that has connected, and its access token. */
  clientId: string;
  clientToken: string | null;
  /** Texts that must not occur in a response to the caller. */
  secrets: Record<CallerName, readonly string[]>;
  /** Ids of proposals that may be pending. The run adds to them. */
  pending: string[];
}

export interface Draft {
  kind: string;
  caller: CallerName;
  /** The callers of further requests in the same bytes. Each response is checked against its caller's secrets. */
  followedBy?: CallerName[];
  method: string;
  target: string;
  /** Null sends no body. Content-Length is added unless `headers` name it. */
  body: Buffer | null;
  /** Each replaces the default header of the same name; the value `null` only removes it. */
  headers: [name: string, value: string | null][];
  /** Changes to a valid credential. */
  credential?: Partial<Credential>;
  /** The statuses to accept besides 429. Null accepts any below 500. */
  expected: readonly number[] | null;
  /** Sends it on its own connection, because its framing leaves that in an unknown state. */
  once?: boolean;
  /** The client hangs up before the request is complete, and may get no response. */
  cut?: boolean;
  /** Changes the encoded bytes before they are sent. */
  spoil?: (bytes: Buffer) => Buffer;
}

export interface Credential {
  ts: string;
  nonce: string;
  text: (canonical: string) => string;
  header: (header: string, parts: Parts) => string;
}
type Parts = { did: Did; sig: string; ts: string; nonce: string };

export function draft(kind: string, more: Partial<Draft> & Pick<Draft, "target">): Draft {
  return { kind, caller: "agent", method: "GET", body: null, headers: [], expected: null, ...more };
}

/** Returns the bytes of the HTTP request. */
export function bytesOf(world: World, draft: Draft): Buffer {
  const { method, target, body, headers, spoil = (bytes) => bytes } = draft;
  const authorization = authorizationOf(world, draft);
  const own: [string, string | null][] = [
    ["Host", authorityOf(world)],
    ["Authorization", authorization],
    ["Content-Type", body === null ? null : "application/json"],
    ["Content-Length", body === null ? null : String(body.length)],
    ["Connection", draft.once ? "close" : "keep-alive"],
  ];
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const all = [...own.filter(([name]) => !given.has(name.toLowerCase())), ...headers];
  const lines = all.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  // In latin1, each character of a header is sent as one byte.
  const head = Buffer.from(
    `${method} ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`,
    "latin1",
  );
  return spoil(Buffer.concat([head, body ?? Buffer.alloc(0)]));
}

export function authorityOf({ host, port }: World): string {
  return port === 80 ? host : `${host}:${port}`;
}

export function profilePath(world: World, rest = "", did: string = world.userDid): string {
  return `/prof/v1/profile/${encodeURIComponent(did)}${rest}`;
}

function authorizationOf(world: World, draft: Draft): string | null {
  const { caller, credential = {} } = draft;
  if (caller === "nobody") return null;
  const { header = (text: string) => text } = credential;
  const { ts = new Date().toISOString(), nonce = randomUUID() } = credential;
  if (caller === "client" && world.clientToken !== null) return formatToken(world.clientToken);
  const signer = world.signers[caller];
  if (caller === "token" || signer === undefined) {
    const parts = { did: world.userDid, sig: "", ts, nonce };
    return world.token === null ? null : header(formatToken(world.token), parts);
  }
  const { text = (canonical: string) => canonical } = credential;
  const sig = sign(null, Buffer.from(text(canonicalOf(world, draft, { ts, nonce }))), signer.key);
  const parts = { did: signer.did, sig: sig.toString("base64"), ts, nonce };
  return header(formatSignature(parts), parts);
}

function canonicalOf(
  world: World,
  { method, target, body }: Draft,
  fresh: Pick<Parts, "ts" | "nonce">,
) {
  const mark = target.indexOf("?");
  const path = mark === -1 ? target : target.slice(0, mark);
  const query = mark === -1 ? "" : target.slice(mark + 1);
  const segments = decodePath(path);
  const pairs = decodeQuery(query);
  return canonicalText({
    method,
    authority: authorityOf(world),
    path: segments === null ? path : canonicalPath(segments),
    query: pairs === null ? query : canonicalQuery(pairs),
    ...fresh,
    bodySha256: createHash("sha256")
      .update(body ?? "")
      .digest("hex"),
  });
}
