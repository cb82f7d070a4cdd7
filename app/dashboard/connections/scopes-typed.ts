/** What somebody typed as further categories: with "prof:" or without. */
export function scopesTyped(others: string): string[] {
  const words = others.split(/[\s,;]+/).filter((word) => word !== "");
  return words.map((word) => (word.startsWith("prof:") ? word : `prof:${word}`));
}
