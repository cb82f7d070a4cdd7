const words: [number, string][] = [
  [0.9, "Very sure"],
  [0.75, "Fairly sure"],
  [0.5, "Somewhat sure"],
  [0, "Unsure"],
];

/** How sure an agent says it is. */
export function confidenceWords(confidence: number): string {
  return words.find(([least]) => confidence >= least)?.[1] ?? "Unsure";
}
