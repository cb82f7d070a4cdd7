import { createHash, type KeyObject, sign } from "node:crypto";
import { formatSignature } from "@/lib/protocol/authorization-header";
import { encodeBase64 } from "@/lib/protocol/base64";
import type { Did } from "@/lib/protocol/did";
import {
  canonicalPath,
  canonicalQuery,
  canonicalText,
  decodePath,
  decodeQuery,
  randomNonce,
} from "@/lib/protocol/signature";

export interface Caller {
  did: Did;
  privateKey: KeyObject;
}

export interface SignedAsking {
  caller: Caller;
  method: "GET" | "POST";
  target: string;
  body?: object;
}

/** What a connected client sends: its token is in the headers, or in the content. */
export interface ClientAsking {
  target: string;
  headers: Record<string, string>;
  content: string;
}

export type Asking = SignedAsking | ClientAsking;

/** A whole HTTP request, signed now where its caller signs, as it goes on the wire. */
export function bytesOf(asking: Asking, authority: string): Buffer {
  if ("caller" in asking) return signedBytes(asking, authority);
  const content = Buffer.from(asking.content);
  return wireBytes({ method: "POST", ...asking, content, authority });
}

export function signedBytes(
  { caller, method, target, body }: SignedAsking,
  authority: string,
): Buffer {
  const content = Buffer.from(body === undefined ? "" : JSON.stringify(body));
  const [path = "", query = ""] = target.split("?");
  const ts = new Date().toISOString();
  const nonce = randomNonce();
  const text = canonicalText({
    method,
    authority,
    path: canonicalPath(decodePath(path) ?? []),
    query: canonicalQuery(decodeQuery(query) ?? []),
    ts,
    nonce,
    bodySha256: createHash("sha256").update(content).digest("hex"),
  });
  const signature = new Uint8Array(sign(null, Buffer.from(text), caller.privateKey));
  const authorization = formatSignature({
    did: caller.did,
    ts,
    nonce,
    sig: encodeBase64(signature),
  });
  const headers: Record<string, string> = { Authorization: authorization };
  if (method === "POST") headers["Content-Type"] = "application/json";
  return wireBytes({ method, target, authority, headers, content });
}

interface Wire {
  method: string;
  target: string;
  authority: string;
  headers: Record<string, string>;
  content: Buffer;
}

function wireBytes({ method, target, authority, headers, content }: Wire): Buffer {
  const lines = [`${method} ${target} HTTP/1.1`, `Host: ${authority}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (method === "POST") lines.push(`Content-Length: ${content.length}`);
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), content]);
}

/** One after the other, each behind its length, for the process that sends them. */
export function packed(requests: Iterable<Buffer>): Buffer {
  const parts: Buffer[] = [];
  for (const request of requests) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(request.length);
    parts.push(length, request);
  }
  return Buffer.concat(parts);
}

export function unpacked(bytes: Buffer): Buffer[] {
  const requests: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = at + 4;
    at = start + bytes.readUInt32BE(at);
    requests.push(bytes.subarray(start, at));
  }
  return requests;
}
