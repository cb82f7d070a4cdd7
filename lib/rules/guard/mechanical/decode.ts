import type { Span } from "../kinds";
import { matchesOf } from "../read/matches";

/** A piece of a text that is written in a code, and what it says. */
export interface Decoded extends Span {
  text: string;
}

const unitsMax = 8_000;
const printableMin = 0.9;

const codes: { pattern: RegExp; decode: (code: string) => string | null }[] = [
  {
    pattern: /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,8000}={0,2}/g,
    decode: (code) => utf8(bytesOfBase64(code)),
  },
  {
    pattern: /(?<![0-9a-fA-F])(?:[0-9a-fA-F]{2}[ :]?){8,4000}(?![0-9a-fA-F])/g,
    decode: (code) => utf8(bytesOfHex(code)),
  },
  {
    pattern: /(?:[\w.+-]{0,40}%[0-9a-fA-F]{2}){3,2000}[\w.+-]{0,40}/g,
    decode: (code) => utf8(bytesOfPercent(code)),
  },
  {
    pattern: /(?:&#(?:x[0-9a-fA-F]{1,6}|\d{1,7});){3,1000}/g,
    decode: (code) => charactersOf(code, /&#(x?)([0-9a-fA-F]+);/g),
  },
  {
    pattern: /(?:\\u\{?[0-9a-fA-F]{4,6}\}?){3,1000}/g,
    decode: (code) => charactersOf(code, /\\u()\{?([0-9a-fA-F]{4,6})\}?/g, 16),
  },
];

/** What is written in a code and decodes to words. */
export function decodedIn(text: string): Decoded[] {
  const head = text.slice(0, unitsMax);
  return codes.flatMap(({ pattern, decode }) =>
    matchesOf(head, pattern).flatMap(({ 0: code, index }) => {
      const decoded = decode(code);
      if (decoded === null || !isWords(decoded)) return [];
      return [{ start: index, end: index + code.length, text: decoded }];
    }),
  );
}

// Names of files and keys are letters, too: words have vowels, and spaces between them.
function isWords(text: string): boolean {
  const plain = text.match(/[\p{L}\p{N}\p{P}\s]/gu)?.length ?? 0;
  const words = text.match(/\p{L}{2,}/gu) ?? [];
  return plain >= text.length * printableMin && words.length >= 2 && /\s/.test(text.trim());
}

function utf8(bytes: Uint8Array | null): string | null {
  if (bytes === null || bytes.length < 6) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Other bytes are no text.
    return null;
  }
}

function bytesOfBase64(code: string): Uint8Array | null {
  const plain = code.replaceAll("=", "").replaceAll("-", "+").replaceAll("_", "/");
  if (plain.length % 4 === 1) return null;
  return Uint8Array.from(atob(plain), (one) => one.charCodeAt(0));
}

function bytesOfHex(code: string): Uint8Array {
  const digits = code.replace(/[^0-9a-fA-F]/g, "");
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function bytesOfPercent(code: string): Uint8Array {
  const units = code.match(/%[0-9a-fA-F]{2}|[^%]/g) ?? [];
  return Uint8Array.from(units, (unit) =>
    unit.length === 3 ? Number.parseInt(unit.slice(1), 16) : unit.replace("+", " ").charCodeAt(0),
  );
}

function charactersOf(code: string, one: RegExp, base?: 16): string | null {
  const points = matchesOf(code, one).map(({ 1: isHex, 2: digits = "" }) =>
    Number.parseInt(digits, base ?? (isHex === "" ? 10 : 16)),
  );
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : null;
}
