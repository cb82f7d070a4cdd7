import { z } from "zod";
import { decodeBase64, encodeBase64Url } from "@/lib/protocol/base64";
import { isSoundPublicKey } from "@/lib/protocol/signature";

// Protocol 1: Ed25519 only, as SPKI PEM, JWK, did:key, multibase, or 32 raw bytes in base64.

const rawBytes = 32;
/** Longest text of a key: a PEM has 113 characters, a JWK with its usual members fewer than 300. */
export const keyTextMax = 400;
const base64Max = 44;
// Prefix of the 32 key bytes in an Ed25519 SubjectPublicKeyInfo (RFC 8410).
export const spkiPrefix = Buffer.from("302a300506032b6570032100", "hex");
// Prefix of a multicodec ed25519-pub key.
const multicodecPrefix = [0xed, 0x01];

// Prefixes of a private key in PKCS#8 and as a multicodec ed25519-priv key.
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");
const secretMulticodecPrefix = Buffer.from("8026", "hex");
const secretTextMax = 128;

const mustBe = `Must be an Ed25519 public key: SPKI PEM, JWK (an object or its text), did:key, multibase, or base64 of its 32 bytes; as text at most ${keyTextMax} characters.`;
const privateKeySent =
  "This is a private key. It was not stored, but it has been sent: make a new key pair, and send the public key of the new pair.";

/** A public key, wherever one enters the gateway. */
export const PublicKey = z
  .union([z.string(), z.record(z.string(), z.unknown())], mustBe)
  .transform((given, context): Buffer => {
    const publicKey = readPublicKey(given);
    if (publicKey !== null) return publicKey;
    context.addIssue({
      code: "custom",
      message: holdsPrivateKey(given) ? privateKeySent : mustBe,
    });
    return z.NEVER;
  })
  .describe(
    "Ed25519 public key: SPKI PEM, JWK (an object or its text), did:key, multibase, or base64 of its 32 bytes.",
  );

/** Returns the 32 raw bytes of a sound key; null for anything else, and for a JWK with a private part. */
export function readPublicKey(given: unknown): Buffer | null {
  const raw = typeof given === "string" ? rawOfText(given) : rawOfJwk(given);
  return raw !== null && isSoundPublicKey(raw) ? Buffer.from(raw) : null;
}

function holdsPrivateKey(given: unknown): boolean {
  if (typeof given !== "string") return Object.hasOwn(Object(given), "d");
  if (given.includes("PRIVATE KEY-----") || given.includes('"d"')) return true;
  const text = given.trim();
  if (text.length > secretTextMax) return false;
  return (
    startsWith(decodeBase64(text), pkcs8Prefix) ||
    (text.startsWith("z") && startsWith(decodeBase58(text.slice(1)), secretMulticodecPrefix))
  );
}

function startsWith(bytes: Uint8Array | null, prefix: Buffer): boolean {
  return bytes !== null && prefix.equals(bytes.subarray(0, prefix.length));
}

/** The key as did:key has it, `z6Mk…`. */
export function multibaseOf(publicKey: Uint8Array): string {
  return `z${encodeBase58(Buffer.from([...multicodecPrefix, ...publicKey]))}`;
}

export type PublicJwk = { kty: "OKP"; crv: "Ed25519"; x: string };

export function jwkOf(publicKey: Uint8Array): PublicJwk {
  return { kty: "OKP", crv: "Ed25519", x: encodeBase64Url(publicKey) };
}

function rawOfText(given: string): Uint8Array | null {
  if (given.length > keyTextMax) return null;
  const text = given.trim();
  if (text.startsWith("{")) return rawOfJwk(parsed(text));
  if (text.startsWith(pemBegin)) return rawOfPem(text);
  if (text.startsWith("did:key:z")) return rawOfMultibase(text.slice("did:key:z".length));
  if (text.length <= base64Max) return decodeBase64(text);
  return text.startsWith("z") ? rawOfMultibase(text.slice(1)) : null;
}

const pemBegin = "-----BEGIN PUBLIC KEY-----";
const pemEnd = "-----END PUBLIC KEY-----";

function rawOfPem(pem: string): Uint8Array | null {
  if (!pem.endsWith(pemEnd)) return null;
  const der = decodeBase64(pem.slice(pemBegin.length, -pemEnd.length).replace(/\s/g, ""));
  if (der === null || der.length !== spkiPrefix.length + rawBytes) return null;
  return spkiPrefix.equals(der.subarray(0, spkiPrefix.length)) ? der.subarray(-rawBytes) : null;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function rawOfJwk(given: unknown): Uint8Array | null {
  if (typeof given !== "object" || given === null || Object.hasOwn(given, "d")) return null;
  const { kty, crv, x } = given as Record<string, unknown>;
  if (kty !== "OKP" || crv !== "Ed25519" || typeof x !== "string") return null;
  return x.length > base64Max ? null : decodeBase64(x);
}

function rawOfMultibase(text: string): Uint8Array | null {
  const bytes = decodeBase58(text);
  if (bytes === null || bytes.length !== multicodecPrefix.length + rawBytes) return null;
  return multicodecPrefix.every((byte, index) => bytes[index] === byte) ? bytes.subarray(2) : null;
}

const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const base58LengthMax = 60;

// No leading zeros to keep: a multicodec key never begins with one.
function decodeBase58(text: string): Uint8Array | null {
  if (text.length > base58LengthMax) return null;
  let value = 0n;
  for (const character of text) {
    const digit = base58.indexOf(character);
    if (digit === -1) return null;
    value = value * 58n + BigInt(digit);
  }
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
}

function encodeBase58(bytes: Buffer): string {
  let text = "";
  for (let value = BigInt(`0x${bytes.toString("hex")}`); value > 0n; value /= 58n) {
    text = (base58[Number(value % 58n)] ?? "") + text;
  }
  return text;
}
