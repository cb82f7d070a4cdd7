import { createHash, createHmac } from "node:crypto";

// AWS Signature Version 4, as S3 and what is compatible with it verify requests.

export interface SignInput {
  method: string;
  url: URL;
  /** Every one of them is signed, in lower case. */
  headers: Record<string, string>;
  /** SHA-256 of the body, in hex. */
  bodyHash: string;
  at: Date;
  region: string;
  key: string;
  secret: string;
}

/** Returns all headers of the request. */
export function signedHeaders(input: SignInput): Record<string, string> {
  const { url, bodyHash, at, region, key, secret } = input;
  const time = at.toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
  const headers: Record<string, string> = {
    ...input.headers,
    host: url.host,
    "x-amz-content-sha256": bodyHash,
    "x-amz-date": time,
  };
  const names = Object.keys(headers).sort();
  const request = [
    input.method,
    url.pathname,
    canonicalQuery(url),
    ...names.map((name) => `${name}:${headers[name]}`),
    "",
    names.join(";"),
    bodyHash,
  ].join("\n");
  const scope = [time.slice(0, 8), region, "s3", "aws4_request"];
  const text = ["AWS4-HMAC-SHA256", time, scope.join("/"), sha256(request)].join("\n");
  const signingKey = scope.reduce<Buffer | string>(
    (last, part) => hmac(last, part),
    `AWS4${secret}`,
  );
  const signature = hmac(signingKey, text).toString("hex");
  headers.authorization = `AWS4-HMAC-SHA256 Credential=${key}/${scope.join("/")}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
  return headers;
}

/** Encodes all but letters, digits and `-._~`. */
export function encodeStrictly(text: string): string {
  const code = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, code);
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function canonicalQuery({ searchParams }: URL): string {
  const pairs = [...searchParams].map((pair) => pair.map(encodeStrictly).join("="));
  return pairs.sort().join("&");
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
