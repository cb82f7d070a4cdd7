import { by, get, header, type Row, titled, utf8 } from "../row";

// Protocol 2: the 64 bytes, in one of four spellings, over exactly the eight lines.

const sig = (change: (sig: string) => string) =>
  header((all, parts) => all.replace(`"${parts.sig}"`, () => `"${change(parts.sig)}"`));
const bytes = (change: (bytes: Buffer) => Uint8Array) =>
  sig((text) => Buffer.from(change(Buffer.from(text, "base64"))).toString("base64"));
const urlSafe = (text: string) => text.replaceAll("+", "-").replaceAll("/", "_");
const line = (number: number, change: (line: string) => string) =>
  by({
    text: (text) =>
      text
        .split("\n")
        .map((one, at) => (at === number - 1 ? change(one) : one))
        .join("\n"),
  });

const spellings: Row[] = [
  ["base64url", sig(urlSafe), "200"],
  ["base64 without padding", sig((text) => text.replace(/=+$/, "")), "200"],
  ["base64url without padding", sig((text) => urlSafe(text).replace(/=+$/, "")), "200"],
  ["one padding character too few", sig((text) => text.slice(0, -1)), "401 PROF001"],
  ["one padding character too many", sig((text) => `${text}=`), "401 PROF001"],
  ["padding in front", sig((text) => `==${text.slice(0, -2)}`), "401 PROF001"],
  [
    "padding in the middle",
    sig((text) => `${text.slice(0, 40)}==${text.slice(40)}`),
    "401 PROF001",
  ],
  ["a space in the middle", sig((text) => `${text.slice(0, 40)} ${text.slice(40)}`), "401 PROF001"],
  ["a space in front", sig((text) => ` ${text}`), "401 PROF001"],
  ["a space behind", sig((text) => `${text} `), "401 PROF001"],
  ["an encoded line break behind", sig((text) => `${text}%0A`), "401 PROF001"],
  ["percent-encoding", sig((text) => text.replaceAll("=", "%3D")), "401 PROF001"],
  ["bits behind the last byte", sig((text) => withSpareBits(text)), "401 PROF001"],
  ["both alphabets at once", sig((text) => `-+${text.slice(2)}`), "401 PROF001"],
  ["a character of no alphabet", sig((text) => `!${text.slice(1)}`), "401 PROF001"],
  ["letters of full width", sig((text) => utf8(`Ａ${text.slice(1)}`)), "401 PROF001"],
  ["hex", sig((text) => Buffer.from(text, "base64").toString("hex")), "401 PROF001"],
  ["base64 of base64", sig((text) => Buffer.from(text).toString("base64")), "401 PROF001"],
  ["a data: address", sig((text) => `data:;base64,${text}`), "401 PROF001"],
  ["a multibase prefix", sig((text) => `m${text}`), "401 PROF001"],
];

const order = (1n << 252n) + 27742317777372353535851937790883648493n;

const forgeries: Row[] = [
  ["63 bytes", bytes((all) => all.subarray(1)), "401 PROF001"],
  ["65 bytes", bytes((all) => Buffer.concat([all, Buffer.alloc(1)])), "401 PROF001"],
  ["twice the 64 bytes", bytes((all) => Buffer.concat([all, all])), "401 PROF001"],
  ["64 zero bytes", bytes(() => Buffer.alloc(64)), "401 PROF001"],
  ["64 bytes of 255", bytes(() => Buffer.alloc(64, 255)), "401 PROF001"],
  ["the neutral point for R and zero for S", bytes(neutral), "401 PROF001"],
  [
    "R alone",
    bytes((all) => Buffer.concat([all.subarray(0, 32), Buffer.alloc(32)])),
    "401 PROF001",
  ],
  ["S alone", bytes((all) => Buffer.concat([Buffer.alloc(32), all.subarray(32)])), "401 PROF001"],
  [
    "R and S exchanged",
    bytes((all) => Buffer.concat([all.subarray(32), all.subarray(0, 32)])),
    "401 PROF001",
  ],
  ["the order of the group added to S", bytes(malleated), "401 PROF001"],
  ["the sign of R turned", bytes((all) => flipped(all, 31, 0x80)), "401 PROF001"],
  ["the lowest bit of R", bytes((all) => flipped(all, 0, 1)), "401 PROF001"],
  ["the lowest bit of S", bytes((all) => flipped(all, 32, 1)), "401 PROF001"],
  ["the highest bit of S", bytes((all) => flipped(all, 63, 0x80)), "401 PROF001"],
  ["another key's signature", get({ caller: "stranger" }), "401 PROF001"],
];

const texts: Row[] = [
  ["of nothing", by({ text: () => "" }), "401 PROF001"],
  ["with a line break at the end", by({ text: (text) => `${text}\n` }), "401 PROF001"],
  [
    "with CR LF between the lines",
    by({ text: (text) => text.replaceAll("\n", "\r\n") }),
    "401 PROF001",
  ],
  ["with a byte order mark", by({ text: (text) => `\ufeff${text}` }), "401 PROF001"],
  ["of the hash of the text", by({ text: (text) => text.split("\n").at(-1) ?? "" }), "401 PROF001"],
  [
    "of seven lines",
    by({ text: (text) => text.split("\n").slice(0, 7).join("\n") }),
    "401 PROF001",
  ],
  ["of another version", line(1, () => "PROF-Signature-v2"), "401 PROF001"],
  ["of another method", line(2, () => "DELETE"), "401 PROF001"],
  ["of the method in lower case", line(2, (text) => text.toLowerCase()), "401 PROF001"],
  ["of another host", line(3, () => "gateway.example"), "401 PROF001"],
  ["of the host without its port", line(3, (text) => text.split(":")[0] ?? ""), "401 PROF001"],
  [
    "of the host with another port",
    line(3, (text) => text.replace(/:\d+$/, ":443")),
    "401 PROF001",
  ],
  ["of the host with a dot behind", line(3, (text) => text.replace(":", ".:")), "401 PROF001"],
  ["of the path with a slash behind", line(4, (text) => `${text}/`), "401 PROF001"],
  ["of the path as it was encoded", line(4, (text) => text.replaceAll(":", "%3A")), "401 PROF001"],
  ["of another profile", line(4, (text) => text.replace(":alice", ":bob")), "401 PROF001"],
  ["of no query", line(5, () => ""), "401 PROF001"],
  ["of a larger limit", line(5, () => "limit=10"), "401 PROF001"],
  ["of the query with its question mark", line(5, (text) => `?${text}`), "401 PROF001"],
  ["of another nonce", line(7, (text) => `${text}x`), "401 PROF001"],
  ["of the hash in capitals", line(8, (text) => text.toUpperCase()), "401 PROF001"],
  ["of no hash, as there is no body", line(8, () => ""), "401 PROF001"],
];

// 64 bytes leave four bits of the last character unused.
function withSpareBits(text: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const last = alphabet[alphabet.indexOf(text[85] ?? "") + 1] ?? "";
  return `${text.slice(0, 85)}${last}==`;
}

function neutral(): Buffer {
  const all = Buffer.alloc(64);
  all[0] = 1;
  return all;
}

function malleated(all: Buffer): Buffer {
  const value = BigInt(`0x${Buffer.from(all.subarray(32)).reverse().toString("hex")}`) + order;
  const scalar = Buffer.from(value.toString(16).padStart(64, "0"), "hex").reverse();
  return Buffer.concat([all.subarray(0, 32), scalar]);
}

function flipped(all: Buffer, at: number, bit: number): Buffer {
  all[at] = (all[at] ?? 0) ^ bit;
  return all;
}

export const signatureRows: Row[] = [
  ...titled("a signature written as", spellings),
  ...titled("a signature of", forgeries),
  ...titled("a signature over the text", texts),
];
