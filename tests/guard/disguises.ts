// Ways to write a text so that its words are not found: each keeps what a person or a model reads.

const letters = "abcdefghijklmnopqrstuvwxyz";
const cyrillic: Record<string, string> = { a: "а", e: "е", o: "о", p: "р", c: "с", x: "х", i: "і" };
const greek: Record<string, string> = { o: "ο", a: "α", v: "ν", i: "ι" };
const small: Record<string, string> = Object.fromEntries(
  Array.from("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡxʏᴢ", (one, place) => [letters[place], one]),
);
const digits: Record<string, string> = { o: "0", i: "1", e: "3", a: "4", s: "5", t: "7" };

const each = (text: string, by: (one: string) => string) => Array.from(text, by).join("");
const from = (start: number) => (one: string) => {
  const place = letters.indexOf(one.toLowerCase());
  return place === -1 ? one : String.fromCodePoint(start + place);
};
const table = (to: Record<string, string>) => (one: string) => to[one.toLowerCase()] ?? one;
const hex = (text: string) => Buffer.from(text).toString("hex");
const within = (piece: string) => (text: string) =>
  text.replace(/(\p{L}{2})(?=\p{L}{2})/gu, `$1${piece}`);

export const disguises: Record<string, (text: string) => string> = {
  "Cyrillic twins": (text) => each(text, table(cyrillic)),
  "Greek twins": (text) => each(text, table(greek)),
  "bold letters": (text) => each(text, from(0x1d41a)),
  "script letters": (text) => each(text, from(0x1d4ea)),
  "full-width letters": (text) => each(text, from(0xff41)),
  "circled letters": (text) => each(text, from(0x24d0)),
  "small capitals": (text) => each(text, table(small)),
  "zero-width spaces": within("\u200b"),
  "soft hyphens": within("\u00ad"),
  "word joiners": within("\u2060"),
  "variation selectors": within("\ufe0f"),
  "direction marks": within("\u202d"),
  "tag characters": (text) =>
    `Likes tea${each(text, (one) => String.fromCodePoint(0xe0000 + (one.codePointAt(0) ?? 0)))}`,
  base64: (text) => `Note ${Buffer.from(text).toString("base64")}`,
  hex: (text) => `Note ${hex(text)}`,
  "percent signs": (text) => hex(text).replace(/../g, "%$&"),
  entities: (text) => each(text, (one) => `&#${one.codePointAt(0)};`),
  escapes: (text) => each(text, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`),
  ROT13: (text) =>
    text.replace(/[a-z]/gi, (one) => {
      const base = one < "a" ? 65 : 97;
      return String.fromCharCode(((one.charCodeAt(0) - base + 13) % 26) + base);
    }),
  backwards: (text) => Array.from(text).reverse().join(""),
  "digits for letters": (text) => each(text, table(digits)),
  "letters apart": (text) =>
    text
      .split(" ")
      .map((word) => [...word].join(" "))
      .join("   "),
  "dots between letters": (text) =>
    text
      .split(" ")
      .map((word) => [...word].join("."))
      .join(" "),
  "piled marks": (text) => within("\u0336\u0337\u0338\u0334\u0335\u0327")(text),
  "Arabic letter marks": within("\u061c"),
  "two accents on each letter": within("\u0301\u0300"),
  "lines broken off": (text) => text.replaceAll(" ", "\n"),
  "base64 of base64": (text) =>
    Buffer.from(Buffer.from(text).toString("base64")).toString("base64"),
  "words broken off": (text) => text.replace(/(\p{L}{3})(?=\p{L}{3})/gu, "$1-\n"),
  capitals: (text) => text.toUpperCase(),
};
