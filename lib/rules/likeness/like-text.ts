import { walk } from "../guard/read/fold";
import { wordsOf } from "../guard/read/words";
import { meaningOf } from "./meaning";

const unitsMax = 500;
const lengthMax = 2_000;
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Returns the beginning of a text as PostgreSQL compares it by runs of three characters: in ASCII, which is all
 * that some databases count as letters. Each other letter is three of those; scripts without spaces become pairs.
 */
export function likeTextOf(text: string): string {
  const head = text.slice(0, unitsMax).toWellFormed();
  const words = wordsOf(walk(head), head).flatMap(({ text: word }) =>
    dense.test(word) ? pairsOf(word) : [word],
  );
  return words.map(spelled).join(" ").slice(0, lengthMax);
}

function pairsOf(word: string): string[] {
  const ones = [...word];
  return ones.length === 1 ? ones : ones.slice(1).map((one, place) => `${ones[place]}${one}`);
}

const codes = 26 ** 3;
// Has no divisor in common with 26: neighbours in an alphabet share no run of characters.
const spread = 7_919;

function spelled(word: string): string {
  return word.replace(/[^a-z0-9]/gu, (one) => {
    const code = ((one.codePointAt(0) ?? 0) * spread) % codes;
    const digits = [code / 26 ** 2, code / 26, code].map((digit) => Math.floor(digit) % 26);
    return String.fromCharCode(...digits.map((digit) => 97 + digit));
  });
}

/** Returns what a text says, as one line: the same for texts that differ only in words that carry nothing. */
export function senseOf(text: string): string {
  const { isDenied, isTangled, order, text: folded } = meaningOf(text);
  if (isTangled || order.length === 0) return folded || text.trim();
  return `${isDenied ? "not" : "is"} ${order.join(" ")}`;
}
