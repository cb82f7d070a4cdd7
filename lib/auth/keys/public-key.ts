import { decodeBase64, encodeBase64Url } from "@/lib/protocol/base64";
import { isSoundPublicKey } from "@/lib/protocol/signature";

// Decisions 1: Ed25519 only, as SPKI PEM, JWK, did:key / multibase, or 32 raw bytes in base64.

const rawBytes = 32;
// What stands before the 32 bytes in an Ed25519 SubjectPublicKeyInfo (RFC 8410).
export const spkiPrefix = Buffer.from("302a300506032b6570032100", "hex");
// What stands before them in a multicodec ed25519-pub key.
const multicodecPrefix = [0xed, 0x01];

/** The 32 raw bytes of a key in any of the forms; null for any other, and for one that is not sound. */
export function readPublicKey(given: unknown): Buffer | null {
  const raw = typeof given === "string" ? rawOfText(given.trim()) : rawOfJwk(given);
  return raw !== null && isSoundPublicKey(raw) ? Buffer.from(raw) : null;
}

/** The key as did:key has it, `z6Mk…`. */
export function multibaseOf(publicKey: Uint8Array): string {
  return `z${encodeBase58(Buffer.from([...multicodecPrefix, ...publicKey]))}`;
}

export type PublicJwk = { kty: "OKP"; crv: "Ed25519"; x: string };

export function jwkOf(publicKey: Uint8Array): PublicJwk {
  return { kty: "OKP", crv: "Ed25519", x: encodeBase64Url(publicKey) };
}

function rawOfText(text: string): Uint8Array | null {
  if (text.startsWith("-----BEGIN PUBLIC KEY-----")) return rawOfPem(text);
  if (text.startsWith("did:key:z")) return rawOfMultibase(text.slice("did:key:z".length));
  if (/^z[1-9A-HJ-NP-Za-km-z]{40,60}$/.test(text)) return rawOfMultibase(text.slice(1));
  return decodeBase64(text);
}

function rawOfPem(pem: string): Uint8Array | null {
  const [, body] =
    /^-----BEGIN PUBLIC KEY-----\s+([A-Za-z0-9+/=\s]+?)\s*-----END PUBLIC KEY-----$/.exec(pem) ??
    [];
  const der = decodeBase64((body ?? "").replace(/\s/g, ""));
  if (der === null || der.length !== spkiPrefix.length + rawBytes) return null;
  return spkiPrefix.equals(der.subarray(0, spkiPrefix.length)) ? der.subarray(-rawBytes) : null;
}

function rawOfJwk(given: unknown): Uint8Array | null {
  if (typeof given !== "object" || given === null) return null;
  const { kty, crv, x } = given as Record<string, unknown>;
  return kty === "OKP" && crv === "Ed25519" && typeof x === "string" ? decodeBase64(x) : null;
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
