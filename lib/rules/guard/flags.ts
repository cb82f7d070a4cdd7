import { type FlagKind, flagKinds, flagNames, isStopped } from "@/lib/protocol/flags";
import { type Budget, createBudget, type Flag, type Span, TooTangled } from "./kinds";
import { decodedIn, withSignsRead } from "./mechanical/decode";
import { addressesIn, findLinks } from "./mechanical/links";
import { findImitations, findMachine, findPhrases } from "./mechanical/pieces";
import { findSecrets, findTokens } from "./mechanical/secrets";
import { type Folded, foldedMax, spanOf, walk } from "./read/fold";
import { findPatterns, type Patterns, readPatterns } from "./read/patterns";
import { cutWords, lettersTogether, reversed, rotated, withoutDigits } from "./read/rewritten";
import { withoutSlips } from "./read/slips";
import { type Word, wordsOf } from "./read/words";
import table from "./tables/patterns.json";

/** Changes with the tables and with how they are read: what was read by an older one is read again. */
export const guardVersion = 2;

const stepsMax = 200_000;
const readingsMax = 6;
const unitsMax = 10_000;
const depthMax = 2;
// Fifty pieces in a code, and the text counts as too tangled to be read.
const codeSteps = stepsMax / 50;
const styledMin = 3;

export const patterns: Patterns = readPatterns(table);

interface Reading {
  known: readonly string[];
  budget: Budget;
  patterns: Patterns;
  depth: number;
}

type Found = Span & { kind: FlagKind };

/**
 * Returns what a person should notice in a text before it becomes a memory, most severe first; of a kind, each
 * place. It sees what is mechanical, and phrases that are known: no flag means that nothing was noticed.
 */
export function flagsOf(
  text: string,
  { known = [], by = patterns }: { known?: readonly string[]; by?: Patterns } = {},
): Flag[] {
  const whole = { kind: "unread" as const, start: 0, end: text.length };
  try {
    const reading = { known, budget: createBudget(stepsMax), patterns: by, depth: 0 };
    const tooLong = text.length > unitsMax ? [whole] : [];
    return ordered([...read(text.slice(0, unitsMax), reading), ...tooLong]);
  } catch (error) {
    if (error instanceof TooTangled) return ordered([whole]);
    throw error;
  }
}

/** The addresses in a text, as `known` takes them: hosts, and e-mail addresses. */
export function addressesOf(text: string): string[] {
  return addressesIn(walk(text.slice(0, unitsMax))).map(({ user, host }) => `${user}${host}`);
}

function read(text: string, reading: Reading): Found[] {
  const { known, budget, depth } = reading;
  budget.spend(text.length);
  const walked = walk(text);
  if (walked.text.length > foldedMax) throw new TooTangled();
  const words = wordsOf(walked, text);
  const of = (kind: FlagKind, spans: readonly Span[]) => spans.map((span) => ({ kind, ...span }));
  const codes = depth < depthMax ? inCodes(text, reading) : [];
  const isUnread = ({ start, end }: Span) =>
    codes.every((code) => code.end <= start || code.start >= end);
  const found: Found[] = [
    ...of("secret", findSecrets(text, walked)),
    ...of("secret", findTokens(text).filter(isUnread)),
    ...of("hidden", walked.hidden),
    ...of("lookalike", disguises(walked.styled, words)),
    ...of("machine", findMachine(walked)),
    ...of("interface", findImitations(walked)),
    ...of("link", findLinks(walked, known)),
    ...inWords(words, reading),
    ...findPhrases(walked),
    ...inTags(walked.tags, reading),
    ...codes,
  ];
  return found.some((one) => isStop(one) && one.kind !== "hidden")
    ? found
    : [...found, ...rewritings({ text, walked, words, reading })];
}

function inWords(words: readonly Word[], { patterns: known, budget }: Reading): Found[] {
  const meant = withoutSlips(words, known, budget);
  return findPatterns(known, meant, budget).map(({ kind, first, last }) => ({
    kind,
    start: words[first]?.start ?? 0,
    end: words[last]?.end ?? 0,
  }));
}

/** Three styled letters and more, or a word in letters of two alphabets. */
function disguises(styled: readonly Span[], words: readonly Word[]): Span[] {
  const drawn = styled.length >= styledMin ? styled : [];
  return [...drawn, ...words.filter(({ isDisguised }) => isDisguised)];
}

function inTags(tags: Folded, reading: Reading): Found[] {
  return tags.text === "" ? [] : inWords(wordsOf(tags, tags.text), reading);
}

const isStop = ({ kind }: Found) => flagKinds[kind] === "stop";

function inCodes(text: string, reading: Reading): Found[] {
  return decodedIn(text).flatMap(({ text: decoded, isWords, ...span }) => {
    reading.budget.spend(codeSteps);
    const inside = read(decoded, { ...reading, depth: reading.depth + 1 });
    if (!isWords && !inside.some(isStop)) return [];
    return [{ kind: "encoded" as const, ...span }, ...inside.map((one) => ({ ...one, ...span }))];
  });
}

/** Where single characters of the text are written as signs. */
function inSigns(text: string, reading: Reading): Found[] {
  const signs = reading.depth < depthMax ? withSignsRead(text) : null;
  if (signs === null) return [];
  const { start, end } = signs;
  const inside = read(signs.text, { ...reading, depth: reading.depth + 1 }).filter(isStop);
  const all = inside.map(({ kind }) => ({ kind, start, end }));
  return all.length > 0 ? [{ kind: "encoded", start, end }, ...all] : [];
}

interface Rewriting {
  text: string;
  walked: Folded;
  words: readonly Word[];
  reading: Reading;
}

function rewritings({ text, walked, words, reading: first }: Rewriting): Found[] {
  // As many steps as the text itself: each may be as long.
  const reading = { ...first, budget: createBudget(readingsMax * stepsMax) };
  const written = inSigns(text, reading);
  if (written.length > 0) return written;
  const together = lettersTogether(words, text);
  const cut = cutWords(together ?? words, text, reading.patterns.vocabulary);
  for (const other of [withoutDigits(words), together, cut]) {
    const found = other === undefined ? [] : inWords(other, reading).filter(isStop);
    if (found.length > 0) return found;
  }
  for (const other of [reversed(walked), rotated(walked)]) {
    const found = turned(other, reading).filter(isStop);
    if (found.length > 0) return found;
  }
  return [];
}

// Its words are anywhere in the original: all of it is marked.
function turned(folded: Folded, reading: Reading): Found[] {
  const found = inWords(wordsOf(folded, folded.text), reading);
  const ends = [spanOf(folded, 0, 1), spanOf(folded, folded.text.length - 1, folded.text.length)];
  const span = {
    start: Math.min(...ends.map(({ start }) => start)),
    end: Math.max(...ends.map(({ end }) => end)),
  };
  const all = found.map((one) => ({ ...one, ...span }));
  return all.length > 0 ? [{ kind: "encoded", ...span }, ...all] : [];
}

// A text of a thousand hidden characters has one flag that is worth reading.
const placesMax = 8;

/** The most severe kind first, what touches as one place; an order is no news beside what stops. */
function ordered(found: readonly Found[]): Flag[] {
  const flags = flagNames.flatMap((kind) =>
    joined(found.filter((one) => one.kind === kind))
      .slice(0, placesMax)
      .map(({ start, end }) => ({ kind, strength: flagKinds[kind], start, end })),
  );
  return isStopped(flags) ? flags.filter(({ strength }) => strength === "stop") : flags;
}

function joined(spans: readonly Span[]): Span[] {
  const places: Span[] = [];
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    const last = places.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else places.push({ start, end });
  }
  return places;
}
