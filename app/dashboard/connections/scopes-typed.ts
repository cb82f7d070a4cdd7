/** Parses further categories, typed with or without "prof:". */
export function scopesTyped(others: string): string[] {
  const words = others.split(/[\s,;]+/).filter((word) => word !== "");
  return words.map((word) => (word.startsWith("prof:") ? word : `prof:${word}`));
}
