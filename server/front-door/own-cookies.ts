import type { IncomingMessage } from "node:http";

// A browser sends every cookie that any program on this machine set for localhost, and Next.js decodes each
// several times: 1,500 invalid ones took it 67 ms.

const nextAuth = [
  "session-token",
  "callback-url",
  "csrf-token",
  "pkce.code_verifier",
  "state",
  "nonce",
];

/** The cookies that this gateway sets; a test compares them with the code. */
const names: ReadonlySet<string> = new Set([
  "gateway-session",
  "__Host-gateway-session",
  "gateway-profile",
  "gateway-goodbye",
  "gateway-return",
  "gateway-imported",
  "theme",
  "zone",
  "inbox-keys",
  ...["", "__Secure-", "__Host-"].flatMap((prefix) =>
    nextAuth.map((name) => `${prefix}next-auth.${name}`),
  ),
]);

// As many characters as a browser stores of one.
const lengthMax = 4_096;
const countMax = 20;

/** Removes the cookies of others from a request. */
export function keepOwnCookies(request: IncomingMessage): void {
  const { headers, rawHeaders } = request;
  if (headers.cookie === undefined) return;
  const own = ownCookies(headers.cookie);
  const others = rawHeaders.flatMap((text, at) => {
    const isName = at % 2 === 0;
    return isName && text.toLowerCase() !== "cookie" ? [text, rawHeaders[at + 1] ?? ""] : [];
  });
  request.rawHeaders = own === "" ? others : [...others, "Cookie", own];
  if (own === "") delete headers.cookie;
  else headers.cookie = own;
}

/**
 * Two session cookies identify nobody, so one that is too long is kept without its value, and of too many none
 * is kept.
 */
function ownCookies(header: string): string {
  const own: string[] = [];
  for (const sent of header.split(";")) {
    const pair = sent.trim();
    const [name = ""] = pair.split("=", 1);
    if (names.has(name)) own.push(pair.length > lengthMax ? `${name}=` : pair);
  }
  return own.length > countMax ? "" : own.join("; ");
}
