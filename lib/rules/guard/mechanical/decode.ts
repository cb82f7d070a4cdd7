import type { Span } from "../kinds";
import { matchesOf } from "../read/matches";

/** A piece of a text that is written in a code, and what it says. */
export interface Decoded extends Span {
  text: string;
  /** Says something in words; else it counts where what it says is flagged. */
  isWords: boolean;
}

const printableMin = 0.9;
const unitsMin = 6;

const sign =
  "&#[xX][0-9a-fA-F]{1,6};|&#\\d{1,7};|%[0-9a-fA-F]{2}|\\\\u\\{[0-9a-fA-F]{1,6}\\}|\\\\u[0-9a-fA-F]{4}|\\\\x[0-9a-fA-F]{2}|\\\\(?:0?[4-7][0-7]|1[0-7]{2})";

const codes: { pattern: RegExp; decode: (code: string) => string[] }[] = [
  {
    pattern: /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}/g,
    decode: (code) => base64In(code).map(utf8OfBase64),
  },
  {
    pattern: /(?<![0-9a-fA-F])(?:(?:0x)?[0-9a-fA-F]{2}[ :,.-]{0,2}){8,}(?![0-9a-fA-F])/g,
    decode: (code) => [utf8(bytesOfHex(code))],
  },
  {
    pattern: new RegExp(`(?:[\\w.+-]{0,40}(?:${sign})\\s?){3,}[\\w.+-]{0,40}`, "g"),
    decode: (code) => [withoutSigns(code)],
  },
];

/** What is written in a code and decodes to text. */
export function decodedIn(text: string): Decoded[] {
  return codes.flatMap(({ pattern, decode }) =>
    matchesOf(text, pattern).flatMap(({ 0: code, index }) => {
      const decoded = decode(code).find(isPrintable);
      if (decoded === undefined) return [];
      const span = { start: index, end: index + code.length };
      return [{ ...span, text: decoded, isWords: isWords(decoded) }];
    }),
  );
}

const signs = new RegExp(
  `(?:%[0-9a-fA-F]{2})+|${sign}|&(?:lt|gt|amp|quot|apos|sol|colon|period|commat);`,
  "g",
);
const named: Record<string, string> = {
  ...{ lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" },
  ...{ sol: "/", colon: ":", period: ".", commat: "@" },
};

/** The text with its single characters decoded, of which each is written as a sign of its own, and their span. */
export function withSignsRead(text: string): Omit<Decoded, "isWords"> | null {
  const found = matchesOf(text, signs);
  const [first, last] = [found.at(0), found.at(-1)];
  if (first === undefined || last === undefined) return null;
  const span = { start: first.index, end: last.index + last[0].length };
  return { ...span, text: withoutSigns(text) };
}

function withoutSigns(text: string): string {
  return text.replace(signs, (one) => {
    if (one.startsWith("%")) return utf8(bytesOfHex(one));
    const name = named[one.slice(1, -1)];
    if (name !== undefined) return name;
    const radix = /^\\\d/.test(one) ? 8 : /^&#\d/.test(one) ? 10 : 16;
    const point = Number.parseInt(one.replace(/[^0-9a-fA-F]/g, ""), radix);
    return point <= 0x10ffff ? String.fromCodePoint(point) : one;
  });
}

function isPrintable(text: string): boolean {
  const plain = text.match(/(?!\ufffd)[\p{L}\p{M}\p{N}\p{P}\p{S}\s]/gu)?.join("").length ?? 0;
  return text.length >= unitsMin && plain >= text.length * printableMin;
}

// Names of files and keys are letters, too: words have vowels, and spaces between them.
function isWords(text: string): boolean {
  return (text.match(/\p{L}{2,}/gu)?.length ?? 0) >= 2 && /\s/.test(text.trim());
}

// Also after some letters that belong to nothing, or to a word or a path.
function base64In(code: string): string[] {
  const parts = /[_/-]/.test(code) ? code.split(/[_/-]/).filter((part) => part.length >= 16) : [];
  return [code, code.slice(1), code.slice(2), code.slice(3), ...parts];
}

function utf8OfBase64(code: string): string {
  const plain = code.replaceAll("=", "").replaceAll("-", "+").replaceAll("_", "/");
  if (plain.length % 4 === 1) return "";
  return utf8(Uint8Array.from(atob(plain), (one) => one.charCodeAt(0)));
}

function utf8(bytes: Uint8Array): string {
  // Some write two bytes for each letter, the second of which is zero.
  return new TextDecoder().decode(bytes).replaceAll("\0", "");
}

function bytesOfHex(code: string): Uint8Array {
  const digits = code.replaceAll("0x", "").replace(/[^0-9a-fA-F]/g, "");
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
