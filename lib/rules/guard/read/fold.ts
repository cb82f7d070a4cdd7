import { hiddenOne } from "@/lib/protocol/flags";
import type { Span } from "../kinds";

/** A text for matching: lower case, without accents and hidden characters. It is never shown. */
export interface Folded {
  text: string;
  /** Where in the original the character of each unit begins and ends. */
  from: number[];
  to: number[];
}

export interface Walk extends Folded {
  hidden: Span[];
  /** What tag characters spell, which no screen shows. */
  tags: Folded;
  /** Letters that are drawn as other signs, such as mathematical ones. */
  styled: Span[];
}

// Among the hidden ones, but a reader sees it.
const space = /[\t\n\r]/;
const pictograph = "\\p{Extended_Pictographic}(?:[\\ufe0e\\ufe0f]|\\p{Emoji_Modifier})?";
const regions = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}";
const others =
  "\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}";
// Emoji are joined, coloured and made flags by hidden characters.
const emoji = new RegExp(
  `${regions}|${others}|${pictograph}(?:\\u200d${pictograph})*|[0-9#*]\\ufe0f?\\u20e3`,
  "uy",
);
// A letter with its marks, or the parts of Korean syllables: what a reader sees as one sign.
const sign =
  /[\u1100-\u115e\u1161-\u11ff]{2,}|.(?:(?!\p{Default_Ignorable_Code_Point})[\p{M}\uff9e\uff9f])*/suy;
const joiner = /[\u200c\u200d]/;
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\u064b-\u065f]/u;
const rightToLeft =
  /(?=\p{L})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
const directionMark = /[\u200e\u200f\u061c]/;
const styledLetter =
  /[\u{1d400}-\u{1d7ff}\u24b6-\u24e9\u{1f130}-\u{1f189}\uff21-\uff3a\uff41-\uff5a\u210a-\u2115\u2119-\u211d\u2124\u2128-\u2134]/u;
const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const latin = /\p{Script=Latin}/u;
const letter = /\p{L}/u;
const marksMax = 4;

/** Twice as long as the longest text that is read: beyond it, single characters spell whole words. */
export const foldedMax = 20_000;

/** Walks through the characters of a text, and keeps for each what it is to a reader of words. */
export function walk(text: string): Walk {
  const state = {
    ...{ text: "", from: [], to: [], hidden: [], styled: [] },
    tags: { text: "", from: [], to: [] },
  } as Walk;
  const facts = { text, isRightToLeft: rightToLeft.test(text), isEastAsian: eastAsian.test(text) };
  let before = "";
  for (let at = 0; at < text.length && state.text.length <= foldedMax; ) {
    const plain = plainRun(text, at);
    if (plain !== "") {
      addPlain(state, plain, at);
      before = plain.at(-1) ?? "";
      at += plain.length;
      continue;
    }
    const picture = foundAt(emoji, text, at);
    const one = picture || hiddenAt(text, at) || foundAt(sign, text, at);
    const span = { start: at, end: at + one.length };
    const sight =
      picture === "" && hiddenOne.test(one) ? sightOf(one, span, before, facts) : "seen";
    const marks = one.match(/\p{M}/gu) ?? [];
    if (sight === "hidden" || marks.length > marksMax) state.hidden.push(span);
    if (sight === "hidden") addTag(state.tags, one, span);
    else if (sight === "seen") {
      if (!facts.isEastAsian && styledLetter.test(one)) state.styled.push(span);
      add(state, foldOne(one), span);
      before = one;
    }
    at = span.end;
  }
  return state;
}

/** What an expression finds in a text from this place on; empty where that is nothing. */
function foundAt(sticky: RegExp, text: string, at: number): string {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0] ?? "";
}

function hiddenAt(text: string, at: number): string {
  const one = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return hiddenOne.test(one) ? one : "";
}

interface Facts {
  text: string;
  isRightToLeft: boolean;
}

/** Whether a character that may be hidden is; `useful` where it serves how the letters beside it are written. */
function sightOf(
  one: string,
  { end }: Span,
  before: string,
  { text, isRightToLeft }: Facts,
): "seen" | "hidden" | "useful" {
  if (space.test(one)) return "seen";
  const after = String.fromCodePoint(text.codePointAt(end) ?? 0);
  const isPlain = (other: string) => letter.test(other) && !rightToLeft.test(other);
  const isUseful = directionMark.test(one)
    ? isRightToLeft && !(isPlain(before) && isPlain(after))
    : joiner.test(one) && joining.test(before) && joining.test(after);
  return isUseful ? "useful" : "hidden";
}

const apostrophes = /^[\u2018\u2019\u02bc\u02b9\u00b4\u2032]$/;
// Those of no script of their own: what they do to a letter that has no form with them is decoration.
const looseMarks = /(?=\p{M})\p{Script=Inherited}|\u0640/gu;
const strokeless: Record<string, string> = {
  ...{ ß: "ss", ø: "o", ł: "l", đ: "d", ı: "i", ŧ: "t", ħ: "h", ŋ: "n", ɨ: "i" },
};
const strokes = /[ßøłđıŧħŋɨ]/g;
const drawnLetters = [0x1f150, 0x1f170];

/** Lower case, without accents on Latin letters: in other scripts they make other letters. */
function foldOne(one: string): string {
  if (apostrophes.test(one)) return "'";
  const code = one.codePointAt(0) ?? 0;
  const first = drawnLetters.find((start) => code >= start && code < start + 26);
  if (first !== undefined) return String.fromCharCode(97 + code - first);
  const plain = one.normalize("NFKC");
  const bare = latin.test(plain)
    ? plain.normalize("NFKD").replace(/\p{M}/gu, "")
    : plain.replace(looseMarks, "");
  return bare.toLowerCase().replace(strokes, (letter) => strokeless[letter] ?? letter);
}

const plainOnes = /[ -~]+(?!\p{M})/uy;

/** The plain ASCII from here on, which is what it looks like. */
function plainRun(text: string, at: number): string {
  return foundAt(plainOnes, text, at);
}

function addPlain(to: Folded, plain: string, at: number): void {
  to.text += plain.toLowerCase();
  for (let unit = at; unit < at + plain.length; unit++) {
    to.from.push(unit);
    to.to.push(unit + 1);
  }
}

function add(to: Folded, folded: string, { start, end }: Span): void {
  to.text += folded;
  for (let unit = 0; unit < folded.length; unit++) {
    to.from.push(start);
    to.to.push(end);
  }
}

function addTag(tags: Folded, one: string, span: Span): void {
  const code = one.codePointAt(0) ?? 0;
  if (code < 0xe0020 || code > 0xe007e) return;
  add(tags, String.fromCharCode(code - 0xe0000).toLowerCase(), span);
}

/** The piece of the original that a piece of the folded text came from. */
export function spanOf({ from, to }: Folded, start: number, end: number): Span {
  return { start: from[start] ?? 0, end: to[end - 1] ?? from[start] ?? 0 };
}

/** A folded text made of other units of the same original. */
export function refolded(text: string, { from, to }: Pick<Folded, "from" | "to">): Folded {
  return { text, from, to };
}
