import { walk } from "../guard/read/fold";
import { wordsOf } from "../guard/read/words";
import { stemOf } from "./stem";
import table from "./tables/words.json";

/** What a sentence is about, for comparing: words without those that carry nothing, and whether it denies. */
export interface Meaning {
  words: ReadonlySet<string>;
  /** In their order, for what is preferred to what. */
  order: readonly string[];
  numbers: readonly string[];
  subjects: ReadonlySet<string>;
  isDenied: boolean;
  /** Denies more than once: what of it is denied is not read. */
  isTangled: boolean;
  /** The folded text. */
  text: string;
}

const split = (words: string) => words.split(" ");
const negating = new Set([...split(table.negations), ...split(table.negationParts)]);
const idle = new Set(split(table.idle));
const subjects = new Set(split(table.subjects).map(stemOf));
const valued = (words: string, value: (place: number) => number) =>
  split(words).map((word, place) => [word, String(value(place))] as const);
const numbers = new Map([
  ...table.numbers.flatMap((words) => valued(words, (place) => place)),
  ...valued(table.tens, (place) => 10 * (place + 2)),
]);
const byOther = (groups: Record<string, string>) =>
  new Map(
    Object.entries(groups).flatMap(([one, others]) =>
      split(others).map((other) => [stemOf(other), stemOf(one)] as const),
    ),
  );
const irregular = byOther(table.irregular);
const synonyms = byOther(table.synonyms);
const antonyms = byOther(table.antonyms);
const phrases = Object.entries(table.phrases);
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const elision = /^(?:[cdjlmnst]|qu)'(?=\p{L})/u;

/** Reads what a sentence is about. */
export function meaningOf(sentence: string): Meaning {
  const text = walk(sentence).text;
  const plain = withoutPhrases(text);
  const order: string[] = [];
  let [denials, negations] = [0, 0];
  for (const { text: whole } of wordsOf(walk(plain), plain)) {
    const read = dense.test(whole) ? readDense(whole) : readWord(whole);
    order.push(...read.words);
    denials += read.denials;
    negations += read.negations;
  }
  return {
    words: new Set(order),
    order,
    numbers: order.filter((word) => /\d/.test(word)),
    subjects: new Set(order.filter((word) => subjects.has(word))),
    isDenied: denials % 2 === 1,
    isTangled: negations > 1,
    text: text.replace(/[^\p{L}\p{N}]+/gu, " ").trim(),
  };
}

function withoutPhrases(text: string): string {
  const words = ` ${text.replace(/[^\p{L}\p{N}']+/gu, " ")} `;
  return phrases.reduce(
    (left, [phrase, plain]) => left.replaceAll(` ${phrase} `, ` ${plain} `),
    words,
  );
}

interface Read {
  words: string[];
  denials: number;
  /** Of the denials, without the opposites. */
  negations: number;
}

function readWord(whole: string): Read {
  const denies = whole.endsWith("n't");
  const word = (denies ? whole.slice(0, -3) : whole).replace(elision, "").replace(/'s$/, "");
  const negations = denies || negating.has(word) ? 1 : 0;
  const number = numbers.get(word);
  if (number !== undefined && word !== "one" && word !== "un")
    return { words: [number], denials: negations, negations };
  const stem = stemOf(word);
  const base = irregular.get(stem) ?? stem;
  if (negating.has(word) || idle.has(word)) return { words: [], denials: negations, negations };
  const opposite = antonyms.get(base);
  if (opposite !== undefined) return { words: [opposite], denials: negations + 1, negations };
  return { words: [synonyms.get(base) ?? base], denials: negations, negations };
}

/** Languages without spaces deny inside of what would be a word. */
function readDense(whole: string): Read {
  let [text, denials] = [whole, 0];
  for (const idle of table.dense.idle) text = text.replaceAll(idle, "");
  for (const [opposite, plain] of Object.entries(table.pairs)) {
    denials += text.split(opposite).length - 1;
    text = text.replaceAll(opposite, plain);
  }
  for (const [other, plain] of Object.entries(table.dense.same))
    text = text.replaceAll(other, plain);
  const opposites = denials;
  for (const denial of table.dense.denials) {
    denials += text.split(denial).length - 1;
    text = text.replaceAll(denial, "");
  }
  text = text.replace(/[一二两三四五六七八九]/g, digitOf);
  const counts = [...text.matchAll(/\d+/g)].map(([digits]) => digits);
  const runs = withoutInflection(text.replace(/\d+/g, " ")).split(" ").filter(Boolean);
  return {
    words: [...counts, ...runs.flatMap(pairsOf)],
    denials,
    negations: denials - opposites,
  };
}

const digitOf = (one: string) => String("一二三四五六七八九".indexOf(one.replace("两", "二")) + 1);

// Japanese inflects in hiragana, beside other signs that carry the matter.
function withoutInflection(text: string): string {
  const left = text.replace(/\p{Script=Hiragana}+/gu, " ");
  return left.trim() === "" ? text : left;
}

function pairsOf(text: string): string[] {
  const ones = [...text];
  return ones.length === 1 ? ones : ones.slice(1).map((one, place) => `${ones[place]}${one}`);
}
