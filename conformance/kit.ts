import { randomUUID } from "node:crypto";
import { formatSignature, formatToken } from "@/lib/protocol/authorization-header";
import { encodeBase64 } from "@/lib/protocol/base64";
import type { Did } from "@/lib/protocol/did";
import { type LimitClass, matchEndpoint } from "@/lib/protocol/endpoints";
import {
  authorityOf,
  canonicalPath,
  canonicalQuery,
  canonicalText,
  decodePath,
  decodeQuery,
  randomNonce,
  type Signer,
  sha256Hex,
  signerOf,
} from "@/lib/protocol/signature";
import { NotRun } from "./check";
import type { Options, Signatory } from "./options";
import { openWire, type RawReply } from "./wire";

export type CallerName = "agent" | "user" | "otherUser" | "token" | "nobody";

export interface Outgoing {
  as?: CallerName;
  method?: string;
  target: string;
  /** A string or bytes are sent as they are; anything else as JSON. */
  body?: unknown;
  /** Null leaves a header out; a list sends it as often. */
  headers?: Record<string, string | readonly string[] | null>;
  chunked?: boolean;
  /** What is signed, where it is not what is sent. */
  signed?: Partial<SignedParts>;
}

export interface SignedParts {
  did: Did;
  signer: Signer;
  method: string;
  authority: string;
  target: string;
  body: Uint8Array<ArrayBuffer>;
  ts: string;
  nonce: string;
  text: (canonical: string) => string;
  /** The signature as it goes into the header. */
  sig: (base64: string) => string;
  /** The whole header, from its parts. */
  header: (parts: HeaderParts) => string;
}

export type HeaderParts = { did: Did; sig: string; ts: string; nonce: string };

export interface Reply extends RawReply {
  as: CallerName;
  method: string;
  target: string;
  limitClass: LimitClass | null;
  json: unknown;
}

export interface Kit {
  options: Options;
  /** Every answer of this run, in the order in which they came. */
  replies: Reply[];
  /** Marks what this run proposes, so that no two runs propose the same. */
  run: string;
  call(outgoing: Outgoing): Promise<Reply>;
  close(): void;
}

export function openKit(options: Options): Kit {
  const wire = openWire(options.url);
  const authorize = authorizer(options);
  const replies: Reply[] = [];
  async function call(outgoing: Outgoing): Promise<Reply> {
    const { as = "agent", method = "GET", target, chunked } = outgoing;
    const body = bytesOf(outgoing.body);
    const authorization = await authorize({ ...outgoing, as, method, body });
    const headers = Object.entries({
      Accept: "application/json",
      ...(authorization === null ? {} : { Authorization: authorization }),
      ...(body === null ? {} : { "Content-Type": "application/json" }),
      ...outgoing.headers,
    }).flatMap(([name, value]) =>
      value === null ? [] : [value].flat().map((one) => [name, String(one)] as const),
    );
    const raw = await wire.send({ method, target, headers, body, chunked });
    const reply = {
      ...raw,
      as,
      method,
      target,
      limitClass: classOf(method, target),
      json: jsonOf(raw),
    };
    replies.push(reply);
    return reply;
  }

  const run = randomUUID().slice(0, 8);
  return { options, replies, run, call, close: () => wire.close() };
}

type Input = Outgoing & { as: CallerName; method: string; body: Uint8Array<ArrayBuffer> | null };

function authorizer(options: Options): (input: Input) => Promise<string | null> {
  const signers = new Map<CallerName, Promise<Signer>>();
  return async ({ as, method, target, body, signed = {} }) => {
    if (as === "nobody") return null;
    if (as === "token") {
      if (options.token === null) throw new NotRun("needs --token");
      return formatToken(options.token);
    }
    const { did, privateKey } = signatory(options, as);
    const signer = signers.get(as) ?? signerOf(privateKey);
    signers.set(as, signer);
    return signedHeader({
      did,
      signer: await signer,
      method,
      authority: authorityOf(options.url),
      target,
      body: body ?? new Uint8Array(),
      ts: new Date().toISOString(),
      nonce: randomNonce(),
      text: (text) => text,
      sig: (sig) => sig,
      header: formatSignature,
      ...signed,
    });
  };
}

async function signedHeader(parts: SignedParts): Promise<string> {
  const { did, method, authority, target, body, ts, nonce } = parts;
  const [path = "", query = ""] = target.split(/\?(.*)/s);
  const segments = decodePath(path);
  const pairs = decodeQuery(query);
  const text = canonicalText({
    method,
    authority,
    path: segments === null ? path : canonicalPath(segments),
    query: pairs === null ? query : canonicalQuery(pairs),
    ts,
    nonce,
    bodySha256: await sha256Hex(body),
  });
  const signature = await parts.signer(new TextEncoder().encode(parts.text(text)));
  return parts.header({ did, sig: parts.sig(encodeBase64(signature)), ts, nonce });
}

function signatory(options: Options, caller: "agent" | "user" | "otherUser"): Signatory {
  if (caller === "agent") return options.agent;
  const [did, key, names] =
    caller === "user"
      ? [options.userDid, options.userKey, "--user-key"]
      : [options.otherUserDid, options.otherUserKey, "--other-user and --other-user-key"];
  if (did === null || key === null) throw new NotRun(`needs ${names}`);
  return { did, privateKey: key };
}

function bytesOf(body: unknown): Uint8Array<ArrayBuffer> | null {
  if (body === undefined) return null;
  if (body instanceof Uint8Array) return new Uint8Array(body);
  return new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
}

function classOf(method: string, target: string): LimitClass | null {
  const [path = ""] = target.split("?");
  const match = matchEndpoint(method, decodePath(path) ?? []);
  return match === null || "allow" in match ? null : match.endpoint.limitClass;
}

function jsonOf({ text }: RawReply): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
