import { type Folded, refolded } from "./fold";
import type { Word } from "./words";

// Other ways to write words: with digits for letters, letters apart, all in one, backwards, by ROT13.

const digits: Record<string, string> = {
  ...{ "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "9": "g" },
};

/** The words with letters for the digits in them; undefined where no word has both. */
export function withoutDigits(words: readonly Word[]): Word[] | undefined {
  const isMixed = ({ text }: Word) => /\p{L}/u.test(text) && /[0134578]/.test(text);
  if (!words.some(isMixed)) return undefined;
  return words.map((word) =>
    isMixed(word)
      ? { ...word, text: Array.from(word.text, (one) => digits[one] ?? one).join("") }
      : word,
  );
}

const apartMin = 4;

/** The words with runs of single letters put together; a gap of another kind ends a word. */
export function lettersTogether(words: readonly Word[], original: string): Word[] | undefined {
  const joined: Word[] = [];
  let isChanged = false;
  for (let at = 0; at < words.length; at++) {
    const run = singleLetters(words, at);
    const word = words[at];
    if (word === undefined) break;
    if (run.length < apartMin) {
      joined.push(word);
      continue;
    }
    isChanged = true;
    joined.push(...together(run, original));
    at += run.length - 1;
  }
  return isChanged ? joined : undefined;
}

function singleLetters(words: readonly Word[], from: number): Word[] {
  let end = from;
  while (/^\p{L}$/u.test(words[end]?.text ?? "")) end++;
  return words.slice(from, end);
}

function together(run: readonly Word[], original: string): Word[] {
  const gapAfter = (place: number) => original.slice(run[place - 1]?.end, run[place]?.start);
  const parts: Word[] = [];
  run.forEach((word, place) => {
    const last = parts.at(-1);
    if (last === undefined) parts.push(word);
    else if (gapAfter(place) === gapAfter(1)) {
      parts[parts.length - 1] = { ...last, text: last.text + word.text, end: word.end };
    } else parts.push(partOf(word, word.text));
  });
  return parts;
}

const longMin = 14;
const longMax = 200;
const longestMax = 24;

/** What is written without a space between put together, and long words cut into known ones. */
export function cutWords(
  words: readonly Word[],
  original: string,
  vocabulary: ReadonlySet<string>,
): Word[] | undefined {
  const parts = joinedBySigns(words, original);
  let isChanged = parts.length < words.length;
  const cut = parts.flatMap((word) => {
    const isLong = word.text.length >= longMin && word.text.length <= longMax;
    const known = isLong ? cutWord(word.text, vocabulary) : null;
    if (known === null) return [word];
    isChanged = true;
    return known.map((text, place) => (place === 0 ? { ...word, text } : partOf(word, text)));
  });
  return isChanged ? cut : undefined;
}

/** A piece of a word, which begins nothing. */
const partOf = (word: Word, text: string): Word => ({
  ...{ ...word, text },
  ...{ isClause: false, isSentence: false, isApart: false },
});

// "ig-nore", "ig<b></b>nore", and a word that is broken at the end of a line.
function joinedBySigns(words: readonly Word[], original: string): Word[] {
  const joined: Word[] = [];
  for (let at = 0; at < words.length; ) {
    const [word, end] = [words[at], endOfRun(words, at, original)];
    if (word === undefined) break;
    const run = words.slice(at, end);
    const text = run.map((one) => one.text).join("");
    joined.push(run.length === 1 ? word : { ...word, text, end: run.at(-1)?.end ?? word.end });
    at = end;
  }
  return joined;
}

function endOfRun(words: readonly Word[], from: number, original: string): number {
  let end = from + 1;
  while (end < words.length) {
    const gap = original.slice(words[end - 1]?.end, words[end]?.start).replace(/-\n/, "");
    if (/[\s_]/.test(gap)) break;
    end++;
  }
  return end;
}

/** The known words that make this one, the longest of them first; null where they do not. */
function cutWord(text: string, vocabulary: ReadonlySet<string>): string[] | null {
  // Where the first word of the rest ends, from each letter on from which the rest can be cut.
  const ends: (number | undefined)[] = [];
  for (let at = text.length - 1; at >= 0; at--) {
    for (let end = Math.min(text.length, at + longestMax); end > at; end--) {
      const isCut = end === text.length || ends[end] !== undefined;
      if (!isCut || !vocabulary.has(text.slice(at, end))) continue;
      ends[at] = end;
      break;
    }
  }
  if (ends[0] === undefined) return null;
  const cut: string[] = [];
  for (let at = 0; at < text.length; at = ends[at] ?? text.length)
    cut.push(text.slice(at, ends[at]));
  return cut;
}

/** The text backwards. */
export function reversed({ text, from, to }: Folded): Folded {
  return refolded(text.split("").reverse().join(""), {
    from: from.toReversed(),
    to: to.toReversed(),
  });
}

/** The text by ROT13. */
export function rotated({ text, from, to }: Folded): Folded {
  const turn = (one: string) =>
    /[a-z]/.test(one) ? String.fromCharCode(((one.charCodeAt(0) - 97 + 13) % 26) + 97) : one;
  return refolded(Array.from(text, turn).join(""), { from, to });
}
