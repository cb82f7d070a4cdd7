import { kindNamed, type Span } from "../kinds";
import { type Folded, spanOf } from "../read/fold";
import { matchesOf } from "../read/matches";
import imitated from "../tables/interface.json";
import machine from "../tables/machine.json";
import phraseTable from "../tables/phrases.json";

/** Every place of these in the text. */
export function findPieces(folded: Folded, pieces: readonly string[]): Span[] {
  const spans: Span[] = [];
  for (const piece of pieces) {
    for (let at = folded.text.indexOf(piece); at !== -1; at = folded.text.indexOf(piece, at + 1)) {
      spans.push(spanOf(folded, at, at + piece.length));
    }
  }
  return spans;
}

const speaker = /(?:^|\n)[ \t]{0,20}(?:system|assistant|developer|tool|human|user|ai)[ \t]{0,3}:/g;

/** Commands for a machine: marks of roles, calls of tools, markup, queries, shell. */
export function findMachine(folded: Folded): Span[] {
  return [...findPieces(folded, machine.pieces), ...matches(folded, speaker)];
}

const codes =
  /(?<![\p{L}\p{N}])(?:prof0\d\d|prof:[a-z*]|did:prof:|prop_[0-9a-z]{8}|mem_[0-9a-z]{8})/gu;

/** Words of the gateway's own pages, and its codes and names. */
export function findImitations(folded: Folded): Span[] {
  return [...findPieces(folded, imitated.phrases), ...matches(folded, codes)];
}

function matches(folded: Folded, pattern: RegExp): Span[] {
  return matchesOf(folded.text, pattern).map(({ 0: found, index }) =>
    spanOf(folded, index, index + found.length),
  );
}

/** Phrases of languages without spaces between words. */
export function findPhrases(folded: Folded) {
  const dense = withoutSpaces(folded);
  return phraseTable.phrases.flatMap(({ kind, text }) =>
    findPieces(dense, [text.replaceAll(" ", "")]).map((span) => ({
      kind: kindNamed(kind),
      ...span,
    })),
  );
}

function withoutSpaces({ text, from, to }: Folded): Folded {
  const units = [...text.split("").keys()].filter((unit) => !/\s/.test(text[unit] ?? ""));
  return {
    text: units.map((unit) => text[unit]).join(""),
    from: units.map((unit) => from[unit] ?? 0),
    to: units.map((unit) => to[unit] ?? 0),
  };
}
