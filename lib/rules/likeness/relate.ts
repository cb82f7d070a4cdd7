import { type Meaning, meaningOf } from "./meaning";
import { stemOf } from "./stem";
import table from "./tables/words.json";

/** What one sentence is to another: `updates` asks, the others may be said in plain words. */
export type Relation = "same" | "contradicts" | "updates" | "none";

const frames = new Set(table.frames.split(" "));
const than = new Set(table.than.split(" "));
const oneValue = new Set(table.oneValue.split(" ").map(stemOf));
const deniedMin = 0.66;
const halfMin = 0.5;
const insideMin = 0.75;
const updatedMin = 0.25;
const changedMax = 3;
const trigramsMin = 0.8;
const spellingMin = 0.4;

/** Compares what two sentences say. Runs of three characters alone never decide. */
export function relate(one: string, other: string): Relation {
  const [a, b] = plainOpposites(meaningOf(one), meaningOf(other));
  if (!isEqual(a.subjects, b.subjects)) return "none";
  if (a.isTangled || b.isTangled) return a.text === b.text ? "same" : "none";
  const [preferred, opposed] = [preferenceOf(a), preferenceOf(b)];
  if (preferred !== null && opposed !== null) return compared(preferred, opposed, a, b);
  const isSamePole = a.isDenied === b.isDenied;
  const alike = jaccard(a.words, b.words);
  if (alike === 1 && a.words.size > 0) return isSamePole ? "same" : "contradicts";
  if (!isSamePole) {
    const isOpposite = alike >= deniedMin || (alike >= halfMin && isDeniedWithin(a, b));
    return isOpposite && hasSameNumbers(a, b) ? "contradicts" : "none";
  }
  if (isNewNumber(a, b) || isNewValue(a, b, alike)) return "updates";
  if (!hasSameNumbers(a, b)) return "none";
  const isInside = alike >= insideMin && (isWithin(a.words, b.words) || isWithin(b.words, a.words));
  return isInside || isSpelling(a, b) ? "same" : "none";
}

const prefix = /^(?:un|dis|non|in|im)(?=\w{3})/;
const suffix = "less";

function withoutNegation(word: string): string {
  const isLess = word.endsWith(suffix) && word.length > suffix.length + 2;
  return isLess ? word.slice(0, -suffix.length) : word.replace(prefix, "");
}

/** Reads "unhappy" as not "happy" where the other sentence says "happy". */
function plainOpposites(one: Meaning, other: Meaning): [Meaning, Meaning] {
  return [withPlain(one, other.words), withPlain(other, one.words)];
}

function withPlain(meaning: Meaning, words: ReadonlySet<string>): Meaning {
  const plainOf = (word: string) => {
    const rest = withoutNegation(word);
    return rest === word ? undefined : [rest, `${rest}ful`].find((plain) => words.has(plain));
  };
  const order = meaning.order.map((word) => plainOf(word) ?? word);
  const flips = meaning.order.filter((word) => plainOf(word) !== undefined).length;
  if (flips === 0) return meaning;
  return {
    ...meaning,
    order,
    words: new Set(order),
    isDenied: meaning.isDenied !== (flips % 2 === 1),
  };
}

interface Preference {
  more: ReadonlySet<string>;
  less: ReadonlySet<string>;
}

/** "Rather A than B", "prefers A to B". */
function preferenceOf({ text }: Meaning): Preference | null {
  const words = text.split(" ");
  const isFrame = (word = "") => frames.has(word.replace(/s$/, ""));
  let from = words.findIndex(isFrame);
  if (from === -1) return null;
  const isPreferring = /^(?:prefer|prefier|zieh)/.test(words[from] ?? "");
  while (isFrame(words[from + 1])) from++;
  const isThan = (word: string) =>
    than.has(word) || (isPreferring && /^(?:to|a|al|au|aux|dem|der|den)$/.test(word));
  const to = words.findLastIndex((word, place) => place > from + 1 && isThan(word));
  if (to === -1) return null;
  const [more, less] = [words.slice(from + 1, to), words.slice(to + 1)].map(sideOf);
  return more === undefined || less === undefined || less.size === 0 ? null : { more, less };
}

function sideOf(words: readonly string[]): ReadonlySet<string> {
  const side = meaningOf(words.filter((word) => word !== "more").join(" "));
  return side.isDenied ? new Set([...side.words, "not"]) : side.words;
}

// The side that is liked less may leave out what both have: "a firm mattress to a soft one".
function compared(a: Preference, b: Preference, one: Meaning, other: Meaning): Relation {
  const isSame = isEqual(a.more, b.more) && isEqual(a.less, b.less);
  const isSwapped =
    !isEqual(a.less, b.less) && isWithin(a.less, b.more) && isWithin(b.less, a.more);
  if (!isSame && !isSwapped) return "none";
  return isSame === (one.isDenied === other.isDenied) ? "same" : "contradicts";
}

/** All but one word is equal, and that one is spelled alike. */
function isSpelling(a: Meaning, b: Meaning): boolean {
  const [one, ...more] = [...a.words].filter((word) => !b.words.has(word));
  const [other, ...others] = [...b.words].filter((word) => !a.words.has(word));
  if (one === undefined || other === undefined || more.length + others.length > 0) return false;
  return trigrams(one, other) >= spellingMin && trigrams(a.text, b.text) >= trigramsMin;
}

/** What is denied without a condition denies what is said with one: "never goes", "goes on Sundays". */
function isDeniedWithin(a: Meaning, b: Meaning): boolean {
  const [denied, said] = a.isDenied ? [a, b] : [b, a];
  return denied.words.size > 0 && isWithin(denied.words, said.words);
}

/** Only numbers differ. */
function isNewNumber(a: Meaning, b: Meaning): boolean {
  const words = ({ order }: Meaning) => new Set(order.filter((word) => !/\d/.test(word)));
  const isChanged = a.numbers.length > 0 && a.numbers.length === b.numbers.length;
  return isChanged && !hasSameNumbers(a, b) && isEqual(words(a), words(b));
}

/** A sentence of a kind that holds one value, with another value. */
function isNewValue(a: Meaning, b: Meaning, alike: number): boolean {
  const isFrame = [...a.words].some((word) => oneValue.has(word) && b.words.has(word));
  const left = [...a.words].filter((word) => !b.words.has(word));
  const right = [...b.words].filter((word) => !a.words.has(word));
  const isSmall = [left, right].every(({ length }) => length > 0 && length <= changedMax);
  return isFrame && isSmall && alike >= updatedMin;
}

function hasSameNumbers(a: Meaning, b: Meaning): boolean {
  return a.numbers.toSorted().join() === b.numbers.toSorted().join();
}

function isWithin(inner: ReadonlySet<string>, outer: ReadonlySet<string>): boolean {
  return [...inner].every((one) => outer.has(one));
}

function isEqual(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && isWithin(a, b);
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const both = [...a].filter((one) => b.has(one)).length;
  const all = a.size + b.size - both;
  return all === 0 ? 0 : both / all;
}

function trigrams(a: string, b: string): number {
  return jaccard(threes(a), threes(b));
}

function threes(text: string): Set<string> {
  const padded = `  ${text} `;
  return new Set(Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3)));
}
