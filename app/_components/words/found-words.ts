/** Matches what begins with one of the words, as typed; split at it, every second piece is a match. */
export function beginningWith(words: readonly string[]): RegExp {
  const alternatives = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  return new RegExp(`(?<![\\p{L}\\p{N}])(${alternatives})`, "iu");
}
