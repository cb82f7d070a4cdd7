import type { CallerName, Draft, World } from "../../fuzz/message";
import { bytesOf } from "../../fuzz/message";
import { get, propose, type Row, replaced, titled, to } from "../row";

// One request hidden in another: behind it, in its body, or between two readings of its length.

let lastNumber = 0;
const json = () => {
  lastNumber += 1;
  return `{"content":"Hidden ${lastNumber}.","category":"prof:interests"}`;
};
const hidden = "GET /prof/v1/hidden HTTP/1.1\r\nHost: x\r\n\r\n";

type Headers = Draft["headers"];

/** A proposal in chunks, with these headers in the place of its length. */
function chunked(write: (json: string) => string, headers: Headers = [transfer("chunked")]) {
  const body = json();
  const all: Headers = [["Content-Length", null], ...headers];
  return propose(body, { headers: all, spoil: (bytes) => replaced(bytes, body, write(body)) });
}

function transfer(value: string): [string, string] {
  return ["Transfer-Encoding", value];
}

const hex = (text: string) => Buffer.byteLength(text).toString(16);
const one = (text: string) => `${hex(text)}\r\n${text}\r\n`;
const whole = (text: string) => `${one(text)}0\r\n\r\n`;

const chunks: Row[] = [
  ["one", chunked(whole), "201"],
  ["one for each byte", chunked((text) => `${[...text].map(one).join("")}0\r\n\r\n`), "201"],
  ["zeros before the size", chunked((text) => `0000${whole(text)}`), "201"],
  ["an extension", chunked((text) => whole(text).replace("\r\n", ";a=b\r\n")), "201"],
  ["an extension in quotes", chunked((text) => whole(text).replace("\r\n", ';a="b;c"\r\n')), "201"],
  ["a trailer", chunked((text) => `${one(text)}0\r\nX-Trailer: x\r\n\r\n`), "201"],
  [
    "a second credential in the trailer",
    chunked((text) => `${one(text)}0\r\nAuthorization: Bearer x\r\n\r\n`),
    "201",
  ],
  [
    "a length in the trailer",
    chunked((text) => `${one(text)}0\r\nContent-Length: 1\r\n\r\n`),
    "400 PROF006",
  ],
  [
    "an extension of 20,000 bytes",
    chunked((text) => whole(text).replace("\r\n", `;${"e".repeat(20_000)}\r\n`)),
    "400 PROF006",
  ],
  [
    "a line feed in an extension",
    chunked((text) => whole(text).replace("\r\n", ";a\n\r\n")),
    "400 PROF006",
  ],
  [
    "a bare line feed after the size",
    chunked((text) => whole(text).replace("\r\n", "\n")),
    "400 PROF006",
  ],
  [
    "a bare line feed after the chunk",
    chunked((text) => `${hex(text)}\r\n${text}\n0\r\n\r\n`),
    "400 PROF006",
  ],
  ["nothing after the chunk", chunked((text) => `${hex(text)}\r\n${text}0\r\n\r\n`), "400 PROF006"],
  ["a size that is too small", chunked((text) => `1\r\n${text}\r\n0\r\n\r\n`), "400 PROF006"],
  ["a size with 0x", chunked((text) => `0x${whole(text)}`), "400 PROF006"],
  ["a size with a sign", chunked((text) => `+${whole(text)}`), "400 PROF006"],
  ["a size below zero", chunked((text) => `-1\r\n${whole(text)}`), "400 PROF006"],
  ["a size with a space in front", chunked((text) => ` ${whole(text)}`), "400 PROF006"],
  ["a size with an underscore", chunked((text) => `0_${whole(text)}`), "400 PROF006"],
  ["a size of 17 digits", chunked((text) => `1${"0".repeat(16)}\r\n${text}`), "400 PROF006"],
  ["no size", chunked((text) => `\r\n${text}\r\n0\r\n\r\n`), "400 PROF006"],
];

const encodings: Row[] = [
  ["chunked in capitals", chunked(whole, [transfer("CHUNKED")]), "201"],
  [
    "with a Content-Length",
    chunked(whole, [transfer("chunked"), ["content-length", "3"]]),
    "400 PROF006",
  ],
  [
    "with a Content-Length in front",
    chunked(whole, [["content-length", "3"], transfer("chunked")]),
    "400 PROF006",
  ],
  [
    "with a Content-Length of 0",
    chunked(whole, [transfer("chunked"), ["content-length", "0"]]),
    "400 PROF006",
  ],
  ["chunked twice", chunked(whole, [transfer("chunked"), transfer("chunked")]), "400 PROF006"],
  ["chunked twice in one line", chunked(whole, [transfer("chunked, chunked")]), "400 PROF006"],
  ["identity", chunked(whole, [transfer("identity")]), "400 PROF006"],
  ["chunked, identity", chunked(whole, [transfer("chunked, identity")]), "400 PROF006"],
  [
    "identity, then chunked in another line",
    chunked(whole, [transfer("identity"), transfer("chunked")]),
    "400 PROF006",
  ],
  ["gzip, chunked", chunked(whole, [transfer("gzip, chunked")]), "400 PROF006"],
  ["a longer word", chunked(whole, [transfer("xchunked")]), "400 PROF006"],
  ["quotes", chunked(whole, [transfer('"chunked"')]), "400 PROF006"],
  ["a parameter", chunked(whole, [transfer("chunked;q=1")]), "400 PROF006"],
  ["a vertical tab in front", chunked(whole, [transfer("\x0bchunked")]), "400 PROF006"],
  ["a space before the colon", chunked(whole, [["Transfer-Encoding ", "chunked"]]), "400 PROF006"],
  [
    "on a GET",
    get({
      headers: [transfer("chunked")],
      spoil: (bytes) => Buffer.concat([bytes, Buffer.from("0\r\n\r\n")]),
    }),
    "400 PROF006",
  ],
  ["of HTTP/1.0", oldChunks(), "400 PROF006"],
];

function oldChunks() {
  const body = json();
  const spoil = (bytes: Buffer) =>
    replaced(replaced(bytes, body, whole(body)), "HTTP/1.1", "HTTP/1.0");
  return propose(body, { headers: [["Content-Length", null], transfer("chunked")], spoil });
}

/** A request that stays open, with others behind it on the same connection. */
const open: Partial<Draft> = { headers: [["Connection", "keep-alive"]] };
const before = (
  behind: (world: World) => Buffer | string,
  first = get(open),
  followedBy: CallerName[] = [],
) => {
  return (world: World): Draft => ({
    ...first(world),
    followedBy,
    spoil: (bytes) => Buffer.concat([bytes, Buffer.from(behind(world))]),
  });
};
// All that the agent may read: a caller taken for the agent would show it.
const good = (world: World) => bytesOf(world, to("/memories?limit=100")(world));
const unsigned = (world: World) => bytesOf(world, get({ caller: "nobody" })(world));

const pipelines: Row[] = [
  ["another good one", before(good, get(open), ["agent"]), "200, 200"],
  ["one without a credential, which takes none over", before(unsigned), "200, 401 PROF001"],
  ["bytes that are no request", before(() => "\0\0\0\0\r\n\r\n"), "200"],
  [
    "a good one behind one without a credential",
    before(good, get({ ...open, caller: "nobody" }), ["agent"]),
    "401 PROF001, 200",
  ],
  [
    "a hidden one behind a GET with a length",
    before(() => hidden, get({ headers: [["Content-Length", `${hidden.length}`]] })),
    "400 PROF006",
  ],
  ["a hidden one behind a good one that closes", before(() => hidden, get()), "200"],
  ["a hidden one behind the last chunk", chunked((text) => whole(text) + hidden), "201"],
  ["a hidden one behind a length that is too short", before(() => hidden, propose(json())), "201"],
  [
    "a hidden one in a body that says it is chunked and has a length",
    chunked(
      () => `0\r\n\r\n${hidden}`,
      [transfer("chunked"), ["content-length", `${hidden.length + 5}`]],
    ),
    "400 PROF006",
  ],
];

const expectations: Row[] = [
  ["100-continue", propose(json(), { headers: [["Expect", "100-continue"]] }), "201"],
  ["100-Continue in capitals", propose(json(), { headers: [["Expect", "100-CONTINUE"]] }), "201"],
  ["another one", propose(json(), { headers: [["Expect", "200-ok"]] }), "400 PROF006"],
  [
    "100-continue and another one",
    propose(json(), { headers: [["Expect", "100-continue, x"]] }),
    "400 PROF006",
  ],
  ["100-continue without a body", get({ headers: [["Expect", "100-continue"]] }), "200"],
];

export const smugglingRows: Row[] = [
  ...titled("chunks with", chunks),
  ...titled("a Transfer-Encoding:", encodings),
  ...titled("behind a request:", pipelines),
  ...titled("an Expect header of", expectations),
];
