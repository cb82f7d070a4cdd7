import { authorityOf, type Draft, type World } from "../../fuzz/message";
import { get, propose, type Row, replaced, titled } from "../row";

// RFC 9112: what proxies and servers are known to read in two ways. Each is read in one way, or not at all.

let lastNumber = 0;
const json = () => {
  lastNumber += 1;
  return `{"content":"Framed ${lastNumber}.","category":"prof:interests"}`;
};

/** A good request with a line of its head changed. */
const head = (change: (head: string) => string, more: Partial<Draft> = {}) =>
  get({ spoil: (bytes) => Buffer.from(change(bytes.toString("latin1")), "latin1"), ...more });
const line = (text: string) =>
  head((all) => all.replace("\r\nConnection", () => `\r\n${text}\r\nConnection`));
const start = (change: (line: string) => string) => head((all) => all.replace(/^.*/, change));
const host = (text: (world: World) => string | null) => (world: World) =>
  get({ headers: [["Host", text(world)]] })(world);

const lines: Row[] = [
  ["an empty line in front", head((all) => `\r\n${all}`), "200"],
  ["a space in front", head((all) => ` ${all}`), "400 PROF006"],
  ["two spaces after the method, read as one", start((text) => text.replace(" ", "  ")), "200"],
  ["a tab after the method", start((text) => text.replace(" ", "\t")), "400 PROF006"],
  ["a method in small letters", start((text) => text.toLowerCase()), "400 PROF006"],
  ["a method that nobody knows", start((text) => text.replace("GET", "GETT")), "400 PROF006"],
  ["no version", start((text) => text.replace(" HTTP/1.1", "")), "400 PROF006"],
  ["version 1.2", start((text) => text.replace("1.1", "1.2")), "400 PROF006"],
  ["version 2.0", start((text) => text.replace("1.1", "2.0")), "400 PROF006"],
  ["version 1.1 and a letter", start((text) => `${text}x`), "400 PROF006"],
  ["another protocol's name", start((text) => text.replace("HTTP", "ICE")), "400 PROF006"],
  ["a bare line feed after each line", head((all) => all.replaceAll("\r\n", "\n")), "400 PROF006"],
  [
    "a bare line feed after one line",
    head((all) => all.replace("\r\nConnection", "\nConnection")),
    "400 PROF006",
  ],
  [
    "a bare carriage return after one line",
    head((all) => all.replace("\r\nConnection", "\rConnection")),
    "400 PROF006",
  ],
  ["a line folded by a space", line("X-Folded: a\r\n b"), "400 PROF006"],
  ["a line folded by a tab", line("X-Folded: a\r\n\tb"), "400 PROF006"],
  ["a folded Authorization", head((all) => all.replace(", sig=", ",\r\n sig=")), "400 PROF006"],
  ["a line without a colon", line("X-None"), "400 PROF006"],
  ["a line without a name", line(": x"), "400 PROF006"],
  ["a space before the colon", line("X-Space : x"), "400 PROF006"],
  ["a space in a name", line("X Space: x"), "400 PROF006"],
  ["a bracket in a name", line("X(1): x"), "400 PROF006"],
  ["a NUL in a name", line("X\0: x"), "400 PROF006"],
  ["a NUL in a value", line("X-Nul: a\0b"), "400 PROF006"],
  ["a carriage return in a value", line("X-Cr: a\rb"), "400 PROF006"],
  ["a vertical tab in a value", line("X-Vt: a\x0bb"), "400 PROF006"],
  ["17 KiB of one header", line(`X-Long: ${"l".repeat(17_000)}`), "431 PROF006"],
  ["17 KiB of many headers", line(`${"X-A: b\r\n".repeat(2_200)}X-B: c`), "431 PROF006"],
  ["200 headers", line(Array.from({ length: 197 }, (_, n) => `X-${n}: x`).join("\r\n")), "200"],
  [
    "201 headers",
    line(Array.from({ length: 198 }, (_, n) => `X-${n}: x`).join("\r\n")),
    "431 PROF006",
  ],
  [
    "a second Host behind 2,500 headers",
    line(`${"A:\r\n".repeat(2_500)}Host: evil.example`),
    "431 PROF006",
  ],
  [
    "a second Authorization behind 2,500 headers",
    line(`${"A:\r\n".repeat(2_500)}Authorization: Bearer x`),
    "431 PROF006",
  ],
  ["the greeting of HTTP/2", head(() => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "400 PROF006"],
];

const hosts: Row[] = [
  ["none", host(() => null), "400 PROF006"],
  ["the same twice", line("Host: 127.0.0.1"), "400 PROF006"],
  ["another one", host(() => "evil.example"), "421 PROF006"],
  ["another port", host(() => "127.0.0.1:1"), "401 PROF001"],
  ["another name of this machine", host(({ port }) => `localhost:${port}`), "401 PROF001"],
  ["a dot behind", host(({ port }) => `gateway.example.:${port}`), "421 PROF006"],
  ["two in a list", host((world) => `${authorityOf(world)}, evil.example`), "400 PROF006"],
  [
    "a space in front of another",
    host((world) => `${authorityOf(world)} evil.example`),
    "400 PROF006",
  ],
  ["a user in front", host((world) => `alice@${authorityOf(world)}`), "400 PROF006"],
  ["a path behind", host((world) => `${authorityOf(world)}/evil`), "400 PROF006"],
  ["a query behind", host((world) => `${authorityOf(world)}?evil`), "400 PROF006"],
  ["an address", host((world) => `http://${authorityOf(world)}`), "400 PROF006"],
  ["a port beyond 65,535", host(() => "127.0.0.1:65536"), "400 PROF006"],
  ["a port that is no number", host(() => "127.0.0.1:80x"), "400 PROF006"],
  ["brackets that hold no address", host(() => "[evil]"), "400 PROF006"],
  ["an escape sequence", host(() => "\x1b[31mevil"), "400 PROF006"],
  ["four numbers that are no address", host(() => "999.0.0.1"), "400 PROF006"],
];

const ignored: Row[] = [
  ["X-Forwarded-Host", line("X-Forwarded-Host: evil.example"), "200"],
  ["X-Forwarded-Proto", line("X-Forwarded-Proto: https"), "200"],
  ["X-Forwarded-Prefix", line("X-Forwarded-Prefix: /evil"), "200"],
  ["Forwarded", line("Forwarded: for=203.0.113.1;host=evil.example;proto=https"), "200"],
  ["X-Original-URL", line("X-Original-URL: /prof/v1/profile/did:prof:user:local:bob"), "200"],
  ["X-Rewrite-URL", line("X-Rewrite-URL: /api/admin/users"), "200"],
  ["X-HTTP-Method-Override", line("X-HTTP-Method-Override: DELETE"), "200"],
  ["X-Gateway-Peer", line("X-Gateway-Peer: 0 127.0.0.1"), "200"],
  [
    "X-Middleware-Subrequest",
    line("X-Middleware-Subrequest: proxy:proxy:proxy:proxy:proxy"),
    "200",
  ],
  ["Next-Action", line("Next-Action: 40abcdef"), "200"],
  ["Upgrade to WebSocket", line("Upgrade: websocket\r\nSec-WebSocket-Key: x"), "200"],
  ["Upgrade to HTTP/2", line("Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"), "200"],
  ["Range", line("Range: bytes=0-1"), "200"],
  ["If-None-Match", line("If-None-Match: *"), "200"],
  ["Accept: text/html", line("Accept: text/html"), "200"],
  ["a cookie of a session", line("Cookie: gateway-session=x"), "200"],
];

const methods: Row[] = [
  "HEAD",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "PURGE",
].map((method): Row => [method, get({ method }), method === "HEAD" ? "405" : "405 PROF006"]);

/** A proposal with these headers for its length, and these bytes for its body. */
const sent = (headers: Draft["headers"], change: (json: string) => string = (text) => text) => {
  const body = json();
  const spoil = (bytes: Buffer) => replaced(bytes, body, change(body));
  return propose(body, { headers, spoil });
};
const length = (...values: string[]) =>
  sent(values.map((value) => ["Content-Length", value] as [string, string]));
const sizeOf = (text: string) => Buffer.byteLength(text);
const size = sizeOf(json());

const lengths: Row[] = [
  ["as it is", sent([]), "201"],
  ["none, with a body", sent([["Content-Length", null]]), "401 PROF001"],
  ["the same twice", length(`${size}`, `${size}`), "400 PROF006"],
  ["two", length(`${size}`, "1"), "400 PROF006"],
  ["two in a list", length(`${size}, 1`), "400 PROF006"],
  ["a sign in front", length(`+${size}`), "400 PROF006"],
  ["below zero", length("-1"), "400 PROF006"],
  ["in hex", length("0x10"), "400 PROF006"],
  ["a fraction", length(`${size}.0`), "400 PROF006"],
  ["an exponent", length("1e1"), "400 PROF006"],
  ["a space within", length("1 0"), "400 PROF006"],
  ["empty", length(""), "400 PROF006"],
  ["of 20 digits", length("9".repeat(20)), "400 PROF006"],
];

export const framingRows: Row[] = [
  ...titled("a request with", lines),
  ...titled("a Host header:", hosts),
  ...titled("without effect:", ignored),
  ...titled("the method", methods),
  ...titled("a Content-Length:", lengths),
];
