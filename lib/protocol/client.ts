import type { z } from "zod";
import { formatSignature, formatToken } from "./authorization-header";
import { encodeBase64 } from "./base64";
import type { Did } from "./did";
import {
  type Data,
  type Endpoint,
  type EndpointMeta,
  endpoints,
  type Params,
  type Query,
} from "./endpoints";
import type { ErrorCode } from "./errors";
import { ErrorBody, envelope, type Meta } from "./resources";
import {
  authorityOf,
  canonicalPath,
  canonicalQuery,
  canonicalText,
  decodePath,
  decodeQuery,
  type PrivateKey,
  randomNonce,
  type Signer,
  sha256Hex,
  signerOf,
} from "./signature";
import { latestVersion } from "./version";

type Body = string | Uint8Array<ArrayBuffer>;

export type ClientCredentials =
  | { did: Did; sign: Signer }
  | { did: Did; privateKey: PrivateKey }
  | { token: string };

export type ClientSettings = ClientCredentials & {
  baseUrl: string;
  fetch?: typeof globalThis.fetch;
  now?: () => Date;
  nonce?: () => string;
  timeoutMs?: number;
};

export type RequestToSign = {
  method: string;
  /** Path and query, percent-encoded, as they go on the wire. */
  target: string;
  body?: Body;
  ts?: string;
  nonce?: string;
};

export type SignedRequest = {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: Body;
  /** The signed text; absent with a token. */
  canonicalText?: string;
};

/** A gateway's refusal, or an answer that is not the protocol's: then `code` is null. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  readonly status: number;
  readonly code: ErrorCode | null;
  readonly details: NonNullable<ErrorBody["error"]["details"]>;
  readonly requestId: string | null;

  constructor(response: Response, answer?: ErrorBody) {
    super(answer?.error.message ?? `The answer (HTTP ${response.status}) is not the protocol's.`);
    this.status = response.status;
    this.code = answer?.error.code ?? null;
    this.details = answer?.error.details ?? {};
    this.requestId = answer?.meta.requestId ?? response.headers.get("X-Request-Id");
  }
}

type Endpoints = typeof endpoints;

/** Path, query and body members of an endpoint side by side; no two share a name. */
export type Input<E extends Endpoint> = Params<E> &
  Partial<Query<E>> &
  (E["body"] extends z.ZodType ? z.input<E["body"]> : unknown);

export type Answer<E extends Endpoint> = {
  status: number;
  headers: Headers;
  data: Data<E>;
  meta: Meta & EndpointMeta<E>;
};

export type Client = {
  [N in keyof Endpoints]: (input: Input<Endpoints[N]>) => Promise<Answer<Endpoints[N]>>;
} & {
  /** A request ready to send, for callers that want to see, change or repeat it. */
  signedRequest(request: RequestToSign): Promise<SignedRequest>;
  send(request: SignedRequest): Promise<Response>;
};

export function createClient(settings: ClientSettings): Client {
  const { baseUrl, fetch = globalThis.fetch, timeoutMs = 30_000 } = settings;
  const authorize = authorizer(settings);

  async function signedRequest({ target, ...request }: RequestToSign): Promise<SignedRequest> {
    const { method, body } = request;
    // Signs the URL as the parser normalises it, because that is what is sent.
    const url = new URL(new URL(baseUrl).origin + target);
    const { authorization, ...signed } = await authorize({ ...request, url });
    const headers = {
      Accept: "application/json",
      Authorization: authorization,
      "PROF-Version": latestVersion,
      ...(body !== undefined && { "Content-Type": "application/json" }),
    };
    return { method, url: url.href, headers, body, ...signed };
  }

  // A redirect would carry a signature to another target.
  function send({ method, url, headers, body }: SignedRequest): Promise<Response> {
    const signal = AbortSignal.timeout(timeoutMs);
    return fetch(url, { method, headers, body, signal, redirect: "error" });
  }

  const calls = Object.values(endpoints).map((endpoint: Endpoint) => [
    endpoint.name,
    async (input: Record<string, unknown>) =>
      readAnswer(endpoint, await send(await signedRequest(requestTo(endpoint, input)))),
  ]);
  return { ...Object.fromEntries(calls), signedRequest, send };
}

function requestTo(endpoint: Endpoint, input: Record<string, unknown>): RequestToSign {
  const { method, params, query } = endpoint;
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(String(input[name])),
  );
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const pairs = given
    .filter(([name]) => name in query.shape)
    .map(([name, value]) => [name, String(value)]);
  const search = pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : "";
  const members = given.filter(([name]) => !(name in params.shape || name in query.shape));
  const body = endpoint.body ? JSON.stringify(Object.fromEntries(members)) : undefined;
  return { method, target: path + search, body };
}

async function readAnswer<E extends Endpoint>(endpoint: E, response: Response): Promise<Answer<E>> {
  const { status, headers } = response;
  const json: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new ProtocolError(response, ErrorBody.safeParse(json).data);
  const answer = envelope(endpoint.data, endpoint.meta).safeParse(json);
  if (!answer.success) throw new ProtocolError(response);
  const { data, meta } = answer.data;
  return { status, headers, data, meta } as Answer<E>;
}

type Outgoing = Omit<RequestToSign, "target"> & { url: URL };
type Authorized = { authorization: string; canonicalText?: string };

function authorizer(settings: ClientSettings): (outgoing: Outgoing) => Promise<Authorized> {
  if ("token" in settings) {
    const authorization = formatToken(settings.token);
    return async () => ({ authorization });
  }
  const { did, now = () => new Date(), nonce: newNonce = randomNonce } = settings;
  const sign = "sign" in settings ? settings.sign : importingSigner(settings.privateKey);
  const authority = authorityOf(settings.baseUrl);
  return async ({ method, url, body = "", ts = now().toISOString(), nonce = newNonce() }) => {
    const text = canonicalText({
      method,
      authority,
      ...canonicalTarget(url),
      ts,
      nonce,
      bodySha256: await sha256Hex(bytesOf(body)),
    });
    const sig = encodeBase64(await sign(bytesOf(text)));
    return { authorization: formatSignature({ did, sig, ts, nonce }), canonicalText: text };
  };
}

function importingSigner(privateKey: PrivateKey): Signer {
  let imported: Promise<Signer> | undefined;
  return async (bytes) => {
    imported ??= signerOf(privateKey);
    const sign = await imported;
    return sign(bytes);
  };
}

// A target without a canonical form is refused whatever is signed; the raw one lets it be sent.
function canonicalTarget({ pathname, search }: URL): { path: string; query: string } {
  const segments = decodePath(pathname);
  const pairs = decodeQuery(search.slice(1));
  return {
    path: segments ? canonicalPath(segments) : pathname,
    query: pairs ? canonicalQuery(pairs) : search.slice(1),
  };
}

function bytesOf(body: Body): Uint8Array<ArrayBuffer> {
  return typeof body === "string" ? new TextEncoder().encode(body) : body;
}
