export function encodeBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

export function encodeBase64Url(bytes: Uint8Array): string {
  return urlSafe(unpadded(encodeBase64(bytes)));
}

/** Decisions 2: either alphabet, padded or not; what does not re-encode to what was sent is refused. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) return null;
  const bytes = decoded(text);
  if (bytes === null) return null;
  const padded = encodeBase64(bytes);
  const spellings = [padded, unpadded(padded), urlSafe(padded), urlSafe(unpadded(padded))];
  return spellings.includes(text) ? bytes : null;
}

function decoded(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const binary = atob(unpadded(text).replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function unpadded(text: string): string {
  return text.replace(/=+$/, "");
}

function urlSafe(text: string): string {
  return text.replaceAll("+", "-").replaceAll("/", "_");
}
