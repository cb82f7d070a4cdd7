import { invalidRequest } from "@/lib/protocol/errors";
import { guessesOf } from "./password-strength";

// What a new password must be: long, or short and strong; and never what is guessed first.

export const passwordLengthMax = 128;
const lengthMin = 8;
const lengthEnough = 15;
const guessesOfShort = 1e12;
const guessesOfCommon = 1e8;
const ownWordMin = 4;

export const passwordHint = `${lengthEnough} to ${passwordLengthMax} characters; a short sentence works well. A shorter one has to be hard to guess. Leave out your e‑mail address and handle, and well-known phrases.`;

export interface OwnWords {
  email: string;
  handles: readonly string[];
}

/** Refuses one that does not do, at the field it was typed in. */
export async function requireGoodPassword(password: string, own: OwnWords): Promise<void> {
  const message = await faultOfPassword(password, own);
  if (message !== null) throw invalidRequest([{ path: "password", message }]);
}

/** What is wrong with it, in words for its owner; null when nothing is. */
export async function faultOfPassword(password: string, own: OwnWords): Promise<string | null> {
  const length = Array.from(password).length;
  if (length < lengthMin) return `Use at least ${lengthMin} characters.`;
  if (length > passwordLengthMax) return `Use at most ${passwordLengthMax} characters.`;
  const folded = fold(password);
  const words = [own.email, own.email.split("@")[0] ?? "", ...own.handles].map(fold);
  if (words.some((word) => word.length >= ownWordMin && folded.includes(word))) {
    return "Leave your e-mail address and your handle out of it.";
  }
  const known = [...phrases, ...words.filter((word) => word !== "")];
  const guesses = await guessesOf(password, known);
  const plain = folded === "" ? guesses : await guessesOf(folded, known);
  if (Math.min(guesses, plain) < guessesOfCommon) {
    return "This is among the first that anyone would try. Choose another.";
  }
  if (length < lengthEnough && guesses < guessesOfShort) {
    return `Too easy to guess for its length: use ${lengthEnough} characters or more, or a less regular one.`;
  }
  return null;
}

// Sentences that everybody knows: long enough, but among the first that are tried.
const phrases = [
  "correcthorsebatterystaple",
  "iloveyouverymuch",
  "thequickbrownfoxjumpsoverthelazydog",
  "thequickbrownfox",
  "tobeornottobethatisthequestion",
  "tobeornottobe",
  "maytheforcebewithyou",
  "letmeinletmein",
];

function fold(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, "");
}
