export function encodeBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

export function encodeBase64Url(bytes: Uint8Array): string {
  return urlSafe(unpadded(encodeBase64(bytes)));
}

/** Decisions 2: either alphabet, padded or not; what does not re-encode to what was sent is refused. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) return null;
  const bytes = decoded(text);
  if (bytes === null) return null;
  const canonical = /[-_]/.test(text) ? encodeBase64Url(bytes) : unpadded(encodeBase64(bytes));
  const padding = "=".repeat(-canonical.length & 3);
  return text === canonical || text === canonical + padding ? bytes : null;
}

function decoded(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const binary = atob(unpadded(text).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
    return bytes;
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
