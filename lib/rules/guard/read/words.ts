import type { Span } from "../kinds";
import twinTable from "../tables/twins.json";
import { type Folded, spanOf } from "./fold";
import { matchesOf } from "./matches";

export interface Word extends Span {
  /** As it is matched. */
  text: string;
  /** Begins a sentence, or what follows a comma or "please". */
  isSentence: boolean;
  isClause: boolean;
  /** No phrase goes on with it. A line that is broken off ends none. */
  isApart: boolean;
  /** Has a capital in the original. */
  isCapital: boolean;
  /** Uses letters of another alphabet that look like those of this one. */
  isDisguised: boolean;
}

const twins = new Map(Object.entries(twinTable.twins));
// Like a Latin letter only as a capital, or only beside Latin ones.
const twinsInMixed = new Map(Object.entries({ ...twinTable.twins, ...twinTable.mixed }));
const wordPattern = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|['`](?=\p{L}))*/gu;
const sentenceEnd = /[.!?。！？…\n]/;
const paragraphEnd = /[.!?。！？…]|\n\s*(?:\n|[-*•#\d])/;
const clauseEnd = /[^\s'&%+$€£@]/u;
const openers = new Set(
  "please always never and then just but so also bitte immer nie und dann siempre nunca y por favor toujours jamais et puis sempre mai e altijd nooit en".split(
    " ",
  ),
);
// A full stop after them ends no sentence.
const titles = new Set(["dr", "mr", "mrs", "ms", "prof", "st"]);
const latinLetter = /\p{Script=Latin}/u;
const letter = /\p{L}/u;
const greek = /\p{Script=Greek}/u;
const cyrillic = /\p{Script=Cyrillic}/u;
// Greek, the Cyrillic of today, and scripts without capitals that stand beside Latin letters for what they are.
const usual =
  /[\u0370-\u03ff\u1d00-\u1d7f\u0250-\u02af\ua730-\ua7ff\u0430-\u045f\u0491\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thai}\p{Script=Common}\p{Script=Inherited}]/u;
const likeCyrillic = new Set("aceopxyijshkmtb");
const ascii = /^[ -~]*$/;
const upper = /\p{Lu}/u;
const lower = /^\p{Ll}/u;
const twinWordMin = 3;
const wordMin = 5;

/** The words of a folded text, each with its place in the original. */
export function wordsOf(folded: Folded, original: string): Word[] {
  const words: Word[] = [];
  const isLatin = isMostlyLatin(folded.text);
  let end = 0;
  let inSentence = 0;
  for (const { 0: text, index } of matchesOf(folded.text, wordPattern)) {
    const gap = folded.text.slice(end, index);
    const last = words.at(-1);
    const isSentence = last === undefined || (sentenceEnd.test(gap) && !titles.has(last.text));
    const { start, end: after } = spanOf(folded, index, index + text.length);
    const plain = undisguised(text, isLatin);
    // A word alone, and what goes on in lower case, is no sentence: "e.g. all", "Ignore. All."
    const isApart =
      inSentence > 1 &&
      paragraphEnd.test(gap) &&
      (gap.includes("\n") || !lower.test(original.slice(start, start + 2)));
    inSentence = isApart ? 1 : inSentence + 1;
    // Named one by one: thousands of copies of objects took longer than all that is sought in them.
    words.push({
      start,
      end: after,
      text: plain.text.replaceAll("`", "'"),
      isDisguised: plain.isDisguised,
      isSentence,
      isApart,
      isClause: isSentence || clauseEnd.test(gap) || openers.has(last.text),
      isCapital: upper.test(original.slice(start, start + 2)),
    });
    end = index + text.length;
  }
  return words;
}

function isMostlyLatin(text: string): boolean {
  if (ascii.test(text)) return true;
  let latinCount = 0;
  let letters = 0;
  for (const one of text) {
    if (!letter.test(one)) continue;
    letters++;
    if (latinLetter.test(one)) latinCount++;
  }
  return latinCount * 2 > letters;
}

// A single letter of another alphabet is itself: "α-lipoic", the Russian "с".
function undisguised(text: string, isLatin: boolean): Pick<Word, "text" | "isDisguised"> {
  if (ascii.test(text)) return { text, isDisguised: false };
  const letters = [...text].filter((one) => letter.test(one));
  const isWhole =
    isLatin && letters.length >= twinWordMin && letters.every((one) => twins.has(one));
  if (!isWhole && !isMixed(letters)) return { text, isDisguised: false };
  return { text: [...text].map((one) => twinsInMixed.get(one) ?? one).join(""), isDisguised: true };
}

/** Whether Latin letters and those of another alphabet make one word that looks like one alphabet. */
function isMixed(letters: readonly string[]): boolean {
  const isLatin = (one: string) => latinLetter.test(one) && !twins.has(one);
  const [latins, foreign] = [letters.filter(isLatin), letters.filter((one) => !isLatin(one))];
  if (cyrillic.test(letters.join("")) && greek.test(letters.join(""))) return true;
  if (latins.length === 0 || foreign.length === 0) return false;
  // Rare letters beside Latin ones are there for their looks.
  if (foreign.some((one) => !usual.test(one))) return true;
  if (letters.length === 2) return cyrillic.test(letters.join("")) && isAllTwins(letters);
  const places = letters.map((one) => isLatin(one));
  const changes = places.filter((one, at) => at > 0 && one !== places[at - 1]).length;
  const hasGreekEnd = changes === 1 && places[0] === true && greek.test(letters.at(-1) ?? "");
  if (isAllTwins(letters)) return letters.length >= twinWordMin && !hasGreekEnd;
  // From one to the other and back: a Greek letter of a formula stands at the end, or among capitals.
  const isHomely = latins.length >= wordMin || latins.every((one) => likeCyrillic.has(one));
  return changes > 1 && isHomely;
}

function isAllTwins(letters: readonly string[]): boolean {
  return letters.every((one) => latinLetter.test(one) || twinsInMixed.has(one));
}
