// What a new password must be. Length does the most; the rest refuses what is guessed first.

export const passwordLengthMin = 15;
export const passwordLengthMax = 128;
const distinctMin = 6;
const ownWordMin = 4;

export const passwordHint = `${passwordLengthMin} to ${passwordLengthMax} characters; a short sentence works well. Leave out your e‑mail address and handle, and well-known phrases.`;

export interface OwnWords {
  email: string;
  handle: string;
}

/** What is wrong with it, in words for its owner; null when nothing is. */
export function faultOfPassword(password: string, { email, handle }: OwnWords): string | null {
  const length = Array.from(password).length;
  if (length < passwordLengthMin) return `Use at least ${passwordLengthMin} characters.`;
  if (length > passwordLengthMax) return `Use at most ${passwordLengthMax} characters.`;
  const folded = fold(password);
  const own = [email, email.split("@")[0] ?? "", handle].map(fold);
  if (own.some((word) => word.length >= ownWordMin && folded.includes(word))) {
    return "Leave your e-mail address and your handle out of it.";
  }
  if (isGuessedFirst(folded))
    return "This is among the first that anyone would try. Choose another.";
  return null;
}

// Whole phrases, and what is left of a password that only repeats or continues one.
const phrases = [
  "correcthorsebatterystaple",
  "iloveyouverymuch",
  "thequickbrownfoxjumpsoverthelazydog",
  "tobeornottobethatisthequestion",
  "maytheforcebewithyou",
  "letmeinletmein",
  "passwordpassword",
  "passphrase",
  "changeme",
  "welcome",
  "administrator",
  "iloveyou",
  "password",
  "letmein",
  "trustno1",
  "admin",
  "secret",
];
const runs = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890123456789",
  "98765432109876543210",
  "qwertyuiopasdfghjklzxcvbnm",
  "1q2w3e4r5t6y7u8i9o0p",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
];

function isGuessedFirst(folded: string): boolean {
  if (new Set(folded).size < distinctMin) return true;
  const rest = phrases.reduce((text, phrase) => text.replaceAll(phrase, ""), folded);
  if (/^\d{0,8}$/.test(rest)) return true;
  return runs.some((run) => run.includes(folded) || folded.startsWith(run.slice(0, 15)));
}

function fold(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s._-]+/g, "");
}
