import type { FlagKind } from "@/lib/protocol/flags";
import { type Budget, kindNamed } from "../kinds";
import type { Word } from "./words";

// A pattern is words in a row: `a|b` either of them, `{name}` a class, `*3` up to three other words of the same
// sentence, `#` a proper name; with `^` before it a word begins a clause, with `^^` a sentence.

interface Step {
  /** Up to so many other words may come before it. */
  gap: number;
  begins: "clause" | "sentence" | null;
  /** null for a proper name. */
  words: ReadonlySet<string> | null;
}

export interface Pattern {
  id: string;
  kind: FlagKind;
  steps: readonly Step[];
}

export interface PatternTable {
  classes: Record<string, string>;
  patterns: readonly { id: string; kind: string; pattern: string }[];
}

export interface Patterns {
  byFirstWord: ReadonlyMap<string, readonly Pattern[]>;
  vocabulary: ReadonlySet<string>;
  /** Every long word of it by its first letter: what a slip of typing may have meant. */
  longWords: ReadonlyMap<string, readonly string[]>;
}

const gapMax = 10;
export const slipMin = 7;

/** Reads a table of patterns; throws where one is not written as it must be. */
export function readPatterns({ classes, patterns }: PatternTable): Patterns {
  const byFirstWord = new Map<string, Pattern[]>();
  const vocabulary = new Set<string>();
  for (const { id, kind, pattern } of patterns) {
    const one = { id, kind: kindNamed(kind), steps: stepsOf(pattern, classes) };
    const first = one.steps[0]?.words;
    if (first == null) throw new Error(`${id} must begin with a word`);
    for (const word of first) byFirstWord.set(word, [...(byFirstWord.get(word) ?? []), one]);
    for (const { words } of one.steps) words?.forEach((word) => void vocabulary.add(word));
  }
  const longWords = new Map<string, string[]>();
  for (const word of vocabulary) {
    const [letter = ""] = word;
    if (word.length >= slipMin) longWords.set(letter, [...(longWords.get(letter) ?? []), word]);
  }
  return { byFirstWord, vocabulary, longWords };
}

function stepsOf(pattern: string, classes: Record<string, string>): Step[] {
  const steps: Step[] = [];
  let gap = 0;
  for (const part of pattern.split(" ")) {
    const size = /^\*(\d+)$/.exec(part)?.[1];
    if (size !== undefined) {
      gap = Number(size);
      if (gap > gapMax) throw new Error(`${pattern}: at most *${gapMax}`);
      continue;
    }
    const carets = /^\^*/.exec(part)?.[0].length ?? 0;
    const begins = ([null, "clause", "sentence"] as const)[carets] ?? null;
    steps.push({ gap, begins, words: wordsIn(part.slice(carets), classes) });
    gap = 0;
  }
  return steps;
}

function wordsIn(part: string, classes: Record<string, string>): ReadonlySet<string> | null {
  if (part === "#") return null;
  const written = part.replace(/\{(\w+)\}/g, (_, name: string) => {
    const words = classes[name];
    if (words === undefined) throw new Error(`{${name}} is not a class`);
    return words.split(" ").join("|");
  });
  return new Set(written.split("|").flatMap((word) => [word, word.replace("n't", "nt")]));
}

export interface Found {
  kind: FlagKind;
  /** The first and the last word of it. */
  first: number;
  last: number;
}

/** Where the patterns are found in these words. */
export function findPatterns(
  { byFirstWord }: Patterns,
  words: readonly Word[],
  budget: Budget,
): Found[] {
  const found: Found[] = [];
  words.forEach((word, first) => {
    budget.spend();
    for (const pattern of byFirstWord.get(word.text) ?? []) {
      const last = endOf({ words, pattern, budget }, first, 0);
      if (last !== null) found.push({ kind: pattern.kind, first, last });
    }
  });
  return found;
}

interface Matching {
  words: readonly Word[];
  pattern: Pattern;
  budget: Budget;
}

/** The last word of the pattern whose step is at this word or after it; null where it does not match. */
function endOf(matching: Matching, at: number, place: number): number | null {
  const { words, pattern, budget } = matching;
  const step = pattern.steps[place];
  if (step === undefined) return at - 1;
  for (let skipped = 0; skipped <= step.gap; skipped++) {
    const word = words[at + skipped];
    budget.spend();
    // No pattern goes on in the next sentence.
    if (word === undefined || (place > 0 && word.isApart)) return null;
    if (!isMatch(step, word)) continue;
    const end = endOf(matching, at + skipped + 1, place + 1);
    if (end !== null) return end;
  }
  return null;
}

const common = new Set(
  "i monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december english german french spanish italian portuguese dutch danish swedish polish turkish russian japanese chinese korean arabic european american british greek indian".split(
    " ",
  ),
);

function isMatch({ words, begins }: Step, word: Word): boolean {
  if (begins === "clause" && !word.isClause) return false;
  if (begins === "sentence" && !word.isSentence) return false;
  if (words !== null) return words.has(word.text);
  return word.isCapital && !word.isSentence && !common.has(word.text);
}
