const lengthMin = 3;

/** Returns an English word without the endings of plurals and verbs, and in one of its spellings. */
export function stemOf(word: string): string {
  if (word.length < lengthMin || !/^[a-z]+$/.test(word)) return word;
  const one = word.replace(/(?<=\w{2})our(?=\w|$)/, "or").replace(/is(?=e[ds]?$|ing$)/, "iz");
  return withoutEnd(one)
    .replace(/([bdgklmnprt])\1$/, "$1")
    .replace(/(?<=\w{2})e$/, "")
    .replace(/(?<=\w{2})y$/, "i");
}

function withoutEnd(word: string): string {
  if (word.length > lengthMin + 1) {
    if (/(?:ies|ied)$/.test(word)) return `${word.slice(0, -3)}y`;
    for (const end of ["ing", "ed"]) {
      const stem = word.slice(0, -end.length);
      if (word.endsWith(end) && /[aeiouy]/.test(stem) && !word.endsWith("eed")) return stem;
    }
    if (/(?:ss|x|zz|ch|sh)es$/.test(word)) return word.slice(0, -2);
  }
  return word.endsWith("s") && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}
