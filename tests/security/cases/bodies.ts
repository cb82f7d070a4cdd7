import { gzipSync } from "node:zlib";
import { propose, type Row, replaced, titled } from "../row";

// Protocol 8: strict JSON. Two readers of one signed body must see the same request.

let lastNumber = 0;
/** A body that is right, of its own, with this between its members. */
function right(more = ""): string {
  lastNumber += 1;
  return `{"content":"Abused ${lastNumber}.","category":"prof:interests"${more}}`;
}

const typed = (type: string | null) => propose(right(), { headers: [["Content-Type", type]] });
const encoded = (encoding: string, body: Buffer | string = right()) =>
  propose(body, { headers: [["Content-Encoding", encoding]] });
const content = (json: string) => propose(`{"content":${json},"category":"prof:interests"}`);
const nested = (depth: number) => propose(right(`,"x":${"[".repeat(depth)}${"]".repeat(depth)}`));

const syntax: Row[] = [
  ["as it should be", propose(right()), "201"],
  ["with white space around", propose(` \t\r\n${right()}\n`), "201"],
  ["with a byte order mark", propose(`\ufeff${right()}`), "400 PROF006"],
  ["in UTF-16", propose(Buffer.from(right(), "utf16le")), "400 PROF006"],
  [
    "in Latin-1",
    propose(Buffer.from(right().replace("Abused", "Abüsed"), "latin1")),
    "400 PROF006",
  ],
  [
    "with a byte that is no UTF-8",
    propose(Buffer.concat([Buffer.from(right()), Buffer.of(0xff)])),
    "400 PROF006",
  ],
  [
    "with a slash in two bytes too many",
    propose(Buffer.concat([Buffer.of(0xc0, 0xaf), Buffer.from(right())])),
    "400 PROF006",
  ],
  ["of nothing", propose(""), "400 PROF006"],
  ["of white space", propose("   "), "400 PROF006"],
  ["of null", propose("null"), "400 PROF006"],
  ["of a list", propose(`[${right()}]`), "400 PROF006"],
  ["of a string with JSON in it", propose(JSON.stringify(right())), "400 PROF006"],
  ["of two values", propose(right() + right()), "400 PROF006"],
  ["of lines of JSON", propose(`${right()}\n${right()}`), "400 PROF006"],
  ["cut short", propose(right().slice(0, -1)), "400 PROF006"],
  ["with a bracket too many", propose(`${right()}}`), "400 PROF006"],
  ["with a comma behind", propose(right(",")), "400 PROF006"],
  ["with a comment", propose(`/**/${right()}`), "400 PROF006"],
  ["with single quotes", propose(right().replaceAll('"', "'")), "400 PROF006"],
  ["with names without quotes", propose(right().replace('"content"', "content")), "400 PROF006"],
  ["with a line break in a string", content('"a\nb"'), "400 PROF006"],
  ["with a NUL behind", propose(`${right()}\0`), "400 PROF006"],
  ["with something before it against includes", propose(`)]}',\n${right()}`), "400 PROF006"],
  ["as a form", propose("content=Abused.&category=prof%3Ainterests"), "400 PROF006"],
  [
    "as XML with an entity",
    propose('<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>&y;'),
    "400 PROF006",
  ],
];

const members: Row[] = [
  ["a member twice", propose(right(',"content":"Other."')), "400 PROF006"],
  ["a member twice, once escaped", propose(right(',"c\\u006fntent":"Other."')), "400 PROF006"],
  ["a member of a member twice", propose(right(',"x":{"y":1,"y":2}')), "400 PROF006"],
  ["__proto__", propose(right(',"__proto__":{"status":"approved"}')), "400 PROF006"],
  ["__proto__ escaped", propose(right(',"\\u005f_proto__":{}')), "400 PROF006"],
  ["constructor", propose(right(',"constructor":{"prototype":{}}')), "400 PROF006"],
  ["prototype further down", propose(right(',"x":[{"prototype":1}]')), "400 PROF006"],
  ["a name with a NUL", propose(right(',"x\\u0000":1')), "400 PROF006"],
  ["a name with half a character", propose(right(',"\\ud800":1')), "400 PROF006"],
  ["32 levels", nested(31), "201"],
  ["33 levels", nested(32), "400 PROF006"],
  ["10,000 levels", nested(10_000), "400 PROF006"],
  ["10,000 brackets that never close", propose("[".repeat(10_000)), "400 PROF006"],
  [
    "3,000 members more",
    propose(right(Array.from({ length: 3_000 }, (_, n) => `,"a${n}":0`).join(""))),
    "201",
  ],
  ["64 KiB", propose(filled(65_536)), "201"],
  ["64 KiB and a byte", propose(filled(65_537)), "400 PROF006"],
];

const values: Row[] = [
  ["half a character", content('"\\ud800"'), "400 PROF006"],
  ["the halves of a character exchanged", content('"\\udc00\\ud800"'), "400 PROF006"],
  ["a NUL", content('"a\\u0000b"'), "400 PROF006"],
  ["null", content("null"), "400 PROF006"],
  ["a number", content("1"), "400 PROF006"],
  ["an operator in its place", content('{"$ne":null}'), "400 PROF006"],
  ["a list in its place", content('["x"]'), "400 PROF006"],
  ["nothing but white space", content('" \\t\\n\\u00a0\\u2003"'), "400 PROF006"],
  ["10,001 characters", content(`"${"x".repeat(10_001)}"`), "400 PROF006"],
  ["a confidence of 1e400", propose(right(',"confidence":1e400')), "400 PROF006"],
  ["a confidence of -0.1", propose(right(',"confidence":-0.1')), "400 PROF006"],
  ["a confidence of 1.0000001", propose(right(',"confidence":1.0000001')), "400 PROF006"],
  ["a confidence of NaN", propose(right(',"confidence":NaN')), "400 PROF006"],
  ["a confidence in hex", propose(right(',"confidence":0x1')), "400 PROF006"],
  ["a confidence with a leading zero", propose(right(',"confidence":00.5')), "400 PROF006"],
  ["a confidence in quotes", propose(right(',"confidence":"0.5"')), "400 PROF006"],
  ["a confidence of 400 digits", propose(right(`,"confidence":0.${"3".repeat(400)}`)), "201"],
  ["a category with a wildcard", propose('{"content":"x","category":"prof:*"}'), "400 PROF006"],
  [
    "a category of another profile's path",
    propose('{"content":"x","category":"prof:a/../b"}'),
    "400 PROF006",
  ],
  [
    "a category with a Cyrillic letter",
    propose('{"content":"x","category":"prof:іnterests"}'),
    "400 PROF006",
  ],
];

const types: Row[] = [
  ["application/json", typed("application/json"), "201"],
  ["application/json; charset=utf-8", typed("application/json; charset=utf-8"), "201"],
  ["Application/JSON", typed("Application/JSON"), "201"],
  ["application/vnd.prof+json", typed("application/vnd.prof+json"), "201"],
  ["none", typed(null), "400 PROF006"],
  ["an empty one", typed(""), "400 PROF006"],
  ["text/plain", typed("text/plain"), "400 PROF006"],
  ["text/json", typed("text/json"), "400 PROF006"],
  ["application/x-www-form-urlencoded", typed("application/x-www-form-urlencoded"), "400 PROF006"],
  ["multipart/form-data", typed("multipart/form-data; boundary=x"), "400 PROF006"],
  ["application/jsonp", typed("application/jsonp"), "400 PROF006"],
  ["application/json-patch", typed("application/json-patch"), "400 PROF006"],
  ["application/json, text/plain", typed("application/json, text/plain"), "400 PROF006"],
  ["text/plain; application/json", typed("text/plain; application/json"), "400 PROF006"],
  ["application/json; charset=utf-16", typed("application/json; charset=utf-16"), "400 PROF006"],
  ["application/json; charset=utf-7", typed("application/json; charset=utf-7"), "400 PROF006"],
  ["*/*", typed("*/*"), "400 PROF006"],
];

const encodings: Row[] = [
  ["gzip", encoded("gzip", gzipSync(right())), "400 PROF006"],
  ["gzip that is not", encoded("gzip", right()), "201"],
  ["a bomb in gzip", encoded("gzip", gzipSync(Buffer.alloc(20_000_000))), "400 PROF006"],
  ["one that nobody knows", encoded("x-rot13"), "201"],
];

const resent: Row[] = [
  ["another byte", changed("Abused", "Abuser"), "401 PROF001"],
  ["a space more", changed(',"category"', ', "category"'), "401 PROF001"],
  ["the same text escaped", changed("Abused", "\\u0041bused"), "401 PROF001"],
  ["its members the other way round", changed(/\{(.*?),(.*)\}/, "{$2,$1}"), "401 PROF001"],
];

function changed(from: string | RegExp, by: string) {
  const body = right();
  const other = body.replace(from, by);
  return propose(body, {
    headers: [["Content-Length", String(Buffer.byteLength(other))]],
    spoil: (bytes) => replaced(bytes, body, other),
  });
}

function filled(length: number): string {
  const body = right(',"x":""');
  return body.replace('"x":""', `"x":"${"x".repeat(length - Buffer.byteLength(body))}"`);
}

export const bodyRows: Row[] = [
  ...titled("a body", syntax),
  ...titled("a body with", members),
  ...titled("in a body,", values),
  ...titled("a body's type:", types),
  ...titled("a body's encoding:", encodings),
  ...titled("changed in the body after signing:", resent),
];
