// Where a client may be sent back to: RFC 8252, 7 and 8.4. Compared as text, since a parsed address hides who it
// names, such as in http://localhost:80@evil.example.

const lengthMax = 2_000;
const printable = /^[!-~]+$/;
const https = /^https:\/\/[a-z0-9.-]+(:\d{1,5})?(\/[^\\]*|\?[^\\]*)?$/i;
const loopback = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?][^\\]*)?)$/;
const privateUse = /^([a-z][a-z0-9+.-]*):\/[^\\]*$/;

// What a browser runs, shows or reads by itself, and what is not for a program to take.
const taken: ReadonlySet<string> = new Set([
  ...["http", "https", "ws", "wss", "ftp", "file", "filesystem", "data", "blob", "javascript"],
  ...["vbscript", "about", "view-source", "chrome", "resource", "mailto", "tel", "sms", "intent"],
  ...["jar", "search", "search-ms", "market", "smb", "afp", "nfs", "sftp", "ssh", "telnet", "ldap"],
  ...["ldaps", "feed", "shell", "help", "res", "mk", "its", "facetime", "sip", "sips", "callto"],
  ...["news", "nntp", "gopher", "rtsp", "webcal", "magnet", "devtools", "edge", "android-app"],
  ...[
    "applescript",
    "shortcuts",
    "googlechrome",
    "firefox",
    "jnlp",
    "apt",
    "vnc",
    "rdp",
    "livescript",
  ],
]);
/** Families of them: parts of a browser or a system, some of which start a program with what they are given. */
const ofSystems = /^(ms-|microsoft|chrome-|moz-|edge-|opera-|itms|x-apple|x-man|help-|svn|ie\.)/;

/** Whether a client may name this address as one of its own. */
export function isRedirectUri(uri: string): boolean {
  if (uri.length > lengthMax || !printable.test(uri) || uri.includes("#")) return false;
  if (loopback.test(uri) || https.test(uri)) return URL.canParse(uri);
  const [, scheme] = privateUse.exec(uri) ?? [];
  return scheme !== undefined && !taken.has(scheme) && !ofSystems.test(scheme);
}

/** Whether a request's address is this one of its client: the same text, but for the port of loopback. */
export function isSameRedirect(registered: string, requested: string): boolean {
  if (registered === requested) return true;
  if (!isRedirectUri(requested)) return false;
  const [one, other] = [withoutPort(registered), withoutPort(requested)];
  return one !== null && one === other;
}

/** Whether what is sent there stays on the machine that the browser runs on. */
export function isLoopbackRedirect(uri: string): boolean {
  return loopback.test(uri);
}

/** The host or scheme that a person is told: `claude.ai`, `localhost`, `cursor://…`. */
export function redirectName(uri: string): string {
  if (/^https?:/i.test(uri)) return new URL(uri).hostname;
  return `${uri.slice(0, uri.indexOf(":"))}://…`;
}

interface AskedBy {
  redirectUri: string;
  state: string | null;
  issuer: string;
}

/** Where an answer goes: the client's own address, with it, the client's state and who answers. RFC 9207. */
export function redirectTo(
  { redirectUri, state, issuer }: AskedBy,
  answer: Record<string, string>,
): string {
  const parameters = new URLSearchParams({ ...answer, iss: issuer });
  if (state !== null) parameters.set("state", state);
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${parameters}`;
}

// An address without a path is that of its root.
function withoutPort(uri: string): string | null {
  const [, host, path] = loopback.exec(uri) ?? [];
  return host === undefined ? null : host + (path === "" ? "/" : path);
}
