import type { Budget } from "../kinds";
import { type Patterns, slipMin } from "./patterns";
import type { Word } from "./words";

/** The words with one slip of typing inside a long one mended: a letter too many or too few, or two swapped. */
export function withoutSlips(
  words: readonly Word[],
  { vocabulary, longWords }: Patterns,
  budget: Budget,
): readonly Word[] {
  return words.map((word) => {
    if (word.text.length < slipMin - 1 || vocabulary.has(word.text)) return word;
    const known = longWords.get(word.text[0] ?? "") ?? [];
    budget.spend(known.length);
    const meant = known.find((one) => isSlip(word.text, one));
    return meant === undefined ? word : { ...word, text: meant };
  });
}

// Never at the end: "recommends" is another word than "recommend".
function isSlip(text: string, meant: string): boolean {
  if (Math.abs(text.length - meant.length) > 1 || text.at(-1) !== meant.at(-1)) return false;
  if (text.length < slipMin && meant.length < slipMin) return false;
  let at = 0;
  while (at < text.length && text[at] === meant[at]) at++;
  const rest = { text: text.slice(at), meant: meant.slice(at) };
  if (text.length === meant.length) {
    const [one = "", other = "", ...same] = rest.text;
    return rest.meant === [other, one, ...same].join("");
  }
  return text.length > meant.length
    ? rest.text.slice(1) === rest.meant
    : rest.text === rest.meant.slice(1);
}
