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
const sentenceOver = /[.!?。！？…\n]/;
const paragraph = /\n\s*(?:\n|[-*•#|\d])/;
const clauseEnd = /[^\s'&%+$€£@]/u;
const openers = new Set(
  "please always never and then just but so also therefore hence thus bitte deshalb daher dus donc entonces quindi portanto wiec поэтому immer nie und dann siempre nunca y por favor toujours jamais et puis sempre mai e altijd nooit en".split(
    " ",
  ),
);
// A full stop after them ends no sentence.
const titles = new Set(["dr", "mr", "mrs", "ms", "prof", "st"]);
const latinLetter = /\p{Script=Latin}/u;
const letter = /\p{L}/u;
const greek = /\p{Script=Greek}/u;
const cyrillic = /\p{Script=Cyrillic}/u;
// Of scripts with capitals, and of two whose letters are drawn like those.
const likeLatin = /[\p{Lu}\p{Ll}\p{Lt}\p{Script=Lisu}\p{Script=Canadian_Aboriginal}]/u;
const usual = /[\u0370-\u03ff\u0430-\u045f\u0491]/;
const formula = /\d|\p{Lu}\p{Lu}/u;
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
    const plain = undisguised(text, isLatin, original.slice(start, after));
    // A word alone, and what goes on in lower case, is no sentence: "e.g. all", "Ignore. All."
    const goesOn = inSentence < 2 || lower.test(original.slice(start, start + 2));
    const isApart = paragraph.test(gap) || (sentenceOver.test(gap) && !goesOn);
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
function undisguised(
  text: string,
  isLatin: boolean,
  written: string,
): Pick<Word, "text" | "isDisguised"> {
  if (ascii.test(text)) return { text, isDisguised: false };
  const letters = [...text].filter((one) => letter.test(one));
  const isWhole =
    isLatin && letters.length >= twinWordMin && letters.every((one) => twins.has(one));
  if (!isWhole && !isMixed(letters, formula.test(written))) return { text, isDisguised: false };
  return { text: [...text].map((one) => twinsInMixed.get(one) ?? one).join(""), isDisguised: true };
}

/** Whether letters of two alphabets that look alike make one word. */
function isMixed(letters: readonly string[], isFormula: boolean): boolean {
  const isLatin = (one: string) => latinLetter.test(one) && !twins.has(one);
  const latins = letters.filter(isLatin);
  const foreign = letters.filter((one) => !latinLetter.test(one) && likeLatin.test(one));
  const [hasGreek, hasCyrillic] = [greek, cyrillic].map((script) =>
    foreign.some((one) => script.test(one)),
  );
  if (hasGreek && hasCyrillic) return true;
  const isOfTwins = isAllTwins(letters);
  const isSmallCapital = (one: string) => twins.has(one) && latinLetter.test(one);
  if (latins.length === 0 || foreign.length + letters.filter(isSmallCapital).length === 0)
    return false;
  // Rare letters beside Latin ones are there for their looks.
  if (foreign.some((one) => !usual.test(one))) return true;
  if (letters.length < twinWordMin) return hasCyrillic === true && isOfTwins;
  // A Greek letter of a formula stands at its end.
  const places = letters.map(isLatin);
  const changes = places.filter((one, at) => at > 0 && one !== places[at - 1]).length;
  if (isFormula && changes === 1 && hasGreek) return false;
  if (isOfTwins) return true;
  const isRussian = hasCyrillic === true && latins.every((one) => likeCyrillic.has(one));
  return changes > 1 && (latins.length >= wordMin || isRussian) && foreign.length > 0;
}

function isAllTwins(letters: readonly string[]): boolean {
  return letters.every((one) => latinLetter.test(one) || twinsInMixed.has(one));
}
