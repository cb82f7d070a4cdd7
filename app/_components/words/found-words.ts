/** Matches what begins with one of the words, as typed; split at it, every second piece is a match. */
export function beginningWith(words: readonly string[]): RegExp {
  return anyOf(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"));
}

function anyOf(alternatives: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(${alternatives})`, "iu");
}
