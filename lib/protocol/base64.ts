export function encodeBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

export function encodeBase64Url(bytes: Uint8Array): string {
  return urlSafe(unpadded(encodeBase64(bytes)));
}

// Groups of four; the last may have two or three characters, with zero bits left over.
const standard =
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw](?:==)?|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=?)?$/;
const inUrls =
  /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw](?:==)?|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048]=?)?$/;

/** Protocol 2: either alphabet, padded or not. Refuses a text that does not re-encode to itself. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (standard.test(text)) return decoded(text);
  return inUrls.test(text) ? decoded(text.replaceAll("-", "+").replaceAll("_", "/")) : null;
}

function decoded(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

function unpadded(text: string): string {
  return text.replace(/={1,2}$/, "");
}

function urlSafe(text: string): string {
  return text.replaceAll("+", "-").replaceAll("/", "_");
}
