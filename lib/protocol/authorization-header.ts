import { decodeBase64 } from "./base64";
import { Did } from "./did";
import { isNonce } from "./signature";

export type SignatureCredential = {
  scheme: "signature";
  did: Did;
  signature: Uint8Array;
  ts: string;
  nonce: string;
};
export type TokenCredential = { scheme: "token"; token: string };
export type Credential = SignatureCredential | TokenCredential;

const bytesMax = 4_096;
const signatureBytes = 64;
// RFC 9110, 11.2 and 5.6: name="value", with backslash escapes and white space around. A comma may follow the last.
const part =
  /[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*=[ \t]*"((?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*)"[ \t]*(?:,|$)/y;

/** Parses an Authorization header; null unless it is exactly well-formed. */
export function parseAuthorization(header: string): Credential | null {
  if (header.length > bytesMax) return null;
  const space = header.indexOf(" ");
  const rest = header.slice(space).replace(/^ +/, "");
  switch (header.slice(0, space).toLowerCase()) {
    case "prof-signature":
      return signatureCredential(rest);
    case "bearer":
      return connectionToken.test(rest) ? { scheme: "token", token: rest } : null;
    default:
      return null;
  }
}

type SignatureParts = { did: Did; sig: string; ts: string; nonce: string };

/** Spec, Authentication 1. */
export function formatSignature({ did, sig, ts, nonce }: SignatureParts): string {
  return `PROF-Signature did="${did}", sig="${sig}", ts="${ts}", nonce="${nonce}"`;
}

export function formatToken(token: string): string {
  return `Bearer ${token}`;
}

// Protocol 3.
const connectionToken = /^profct_[0-9A-Za-z]{49}$/;

function signatureCredential(text: string): SignatureCredential | null {
  const parts = readParts(text);
  const signature = decodeBase64(parts?.get("sig") ?? "");
  const ts = parts?.get("ts") ?? "";
  const nonce = parts?.get("nonce") ?? "";
  if (signature?.length !== signatureBytes || !ts || !isNonce(nonce)) return null;
  const did = Did.safeParse(parts?.get("did"));
  return did.success ? { scheme: "signature", did: did.data, signature, ts, nonce } : null;
}

function readParts(text: string): Map<string, string> | null {
  const parts = new Map<string, string>();
  part.lastIndex = 0;
  while (part.lastIndex < text.length) {
    const found = part.exec(text);
    if (found === null) return null;
    const [, given = "", value = ""] = found;
    const name = given.toLowerCase();
    if (parts.has(name)) return null;
    parts.set(name, value.includes("\\") ? value.replace(/\\(.)/g, "$1") : value);
  }
  return parts;
}
