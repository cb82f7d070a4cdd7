import { encodeBase64Url } from "./base64";

export type QueryPair = readonly [name: string, value: string];

/** A raw path to its segments, each decoded once; null where one could be read in two ways. */
export function decodePath(rawPath: string): string[] | null {
  if (!rawPath.startsWith("/")) return null;
  const segments: string[] = [];
  for (const raw of rawPath.slice(1).split("/")) {
    const segment = percentDecoded(raw);
    if (segment === null || ambiguousSegment.test(segment)) return null;
    segments.push(segment);
  }
  return segments;
}

export function canonicalPath(segments: readonly string[]): string {
  return `/${segments.join("/")}`;
}

/** More than any endpoint or form needs. They are parsed and sorted before authentication. */
export const queryPairsMax = 100;

/** A raw query, without its question mark, to decoded pairs; null where it is not well-formed, or too long. */
export function decodeQuery(rawQuery: string): QueryPair[] | null {
  const pairs: QueryPair[] = [];
  if (rawQuery === "") return pairs;
  // Empty pairs count: a framework behind us would read those after them.
  const fields = rawQuery.split("&", queryPairsMax + 1);
  if (fields.length > queryPairsMax) return null;
  for (const field of fields) {
    if (field === "") continue;
    const [rawName = "", ...rest] = field.replaceAll("+", " ").split("=");
    const name = percentDecoded(rawName);
    const value = percentDecoded(rest.join("="));
    if (name === null || value === null) return null;
    pairs.push([name, value]);
  }
  return pairs;
}

export function canonicalQuery(pairs: readonly QueryPair[]): string {
  return pairs
    .toSorted((one, other) => compare(one[0], other[0]) || compare(one[1], other[1]))
    .map(([name, value]) => `${percentEncoded(name)}=${percentEncoded(value)}`)
    .join("&");
}

/** Returns host[:port] of a gateway's address, in lower case and without a default port. */
export function authorityOf(baseUrl: string): string {
  return new URL(baseUrl).host;
}

export type CanonicalRequest = {
  method: string;
  authority: string;
  path: string;
  query: string;
  ts: string;
  nonce: string;
  bodySha256: string;
};

/** The text that is signed. Protocol 2. */
export function canonicalText(request: CanonicalRequest): string {
  return [
    "PROF-Signature-v1",
    request.method.toUpperCase(),
    request.authority,
    request.path,
    request.query,
    request.ts,
    request.nonce,
    request.bodySha256,
  ].join("\n");
}

export async function sha256Hex(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Milliseconds since 1970 of YYYY-MM-DDTHH:MM:SS[.f…]Z; null for any other form or no real date. */
export function parseTimestamp(ts: string): number | null {
  const [, seconds = "", fraction = ""] = timestamp.exec(ts) ?? [];
  const whole = Date.parse(`${seconds}Z`);
  if (Number.isNaN(whole)) return null;
  // Date.parse takes 30 February for 1 March, and 24:00 for the next day.
  if (new Date(whole).getUTCDate() !== Number(seconds.slice(8, 10))) return null;
  return whole + Number(fraction.slice(0, 3).padEnd(3, "0"));
}

export function isNonce(text: string): boolean {
  return /^[A-Za-z0-9._~-]{8,128}$/.test(text);
}

export function randomNonce(): string {
  return encodeBase64Url(crypto.getRandomValues(new Uint8Array(16)));
}

/** Produces the Ed25519 signature (64 bytes) of a text's bytes. */
export type Signer = (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;

/** JWK (OKP, Ed25519) or PKCS #8 bytes. */
export type PrivateKey = JsonWebKey | Uint8Array<ArrayBuffer>;

export async function signerOf(privateKey: PrivateKey): Promise<Signer> {
  const usages: KeyUsage[] = ["sign"];
  const key =
    privateKey instanceof Uint8Array
      ? await crypto.subtle.importKey("pkcs8", privateKey, "Ed25519", false, usages)
      : await crypto.subtle.importKey("jwk", privateKey, "Ed25519", false, usages);
  return async (bytes) => new Uint8Array(await crypto.subtle.sign("Ed25519", key, bytes));
}

/**
 * Returns whether 32 bytes canonically encode a point of Ed25519 that is not of small order. With a small-order
 * key, one signature can be valid for every message, and OpenSSL accepts it.
 */
export function isSoundPublicKey(bytes: Uint8Array): boolean {
  if (bytes.length !== 32) return false;
  const y =
    bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n) & (2n ** 255n - 1n);
  return y < prime && !smallOrderY.includes(y) && isOnCurve(y);
}

// RFC 8032, 5.1: the field, the constant d, and the y of every point whose order divides 8.
const prime = 2n ** 255n - 19n;
const d = 0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3n;
const y8 = 0x5fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
const smallOrderY = [0n, 1n, prime - 1n, y8, prime - y8];

// -x² + y² = 1 + d·x²·y² has an x when (y² - 1)·(d·y² + 1) is a square.
function isOnCurve(y: bigint): boolean {
  const ySquared = (y * y) % prime;
  let [base, power] = [((ySquared - 1n) * (d * ySquared + 1n)) % prime, 1n];
  for (let exponent = (prime - 1n) / 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) power = (power * base) % prime;
    base = (base * base) % prime;
  }
  return power === 1n;
}

const timestamp = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d+))?Z$/;
const ambiguousSegment = /[/\\\p{Cc}]|^\.{1,2}$/u;

function percentDecoded(text: string): string | null {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

// RFC 3986, 2.3: encodeURIComponent leaves five characters more than it should.
function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

// Compares by code points; JavaScript's order of UTF-16 units differs above U+FFFF.
function compare(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; ) {
    const left = one.codePointAt(at) ?? 0;
    const difference = left - (other.codePointAt(at) ?? 0);
    if (difference !== 0) return difference;
    at += left > 0xffff ? 2 : 1;
  }
  return one.length - other.length;
}
