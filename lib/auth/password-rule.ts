import { invalidRequest } from "@/lib/protocol/errors";
import { loadCommonPasswords } from "./common-passwords";

// The rule for new passwords. Passwords set before the rule keep working.

export const passwordLengthMin = 12;
export const passwordLengthMax = 128;
const ownWordMin = 4;

export const passwordHint = `${passwordLengthMin} to ${passwordLengthMax} characters; a short sentence works well. It must not contain your name, handle or e‑mail address, or be a well-known password.`;

/** Words about the person that others know. */
export interface OwnWords {
  email: string;
  name: string | null;
  handles: readonly string[];
}

/** Refuses a password that breaks the rule, at the field it was typed in. */
export async function requireGoodPassword(password: string, own: OwnWords): Promise<void> {
  const message = await faultOfPassword(password, own);
  if (message !== null) throw invalidRequest([{ path: "password", message }]);
}

/** Returns what is wrong with the password, or null. */
export async function faultOfPassword(password: string, own: OwnWords): Promise<string | null> {
  const length = Array.from(password).length;
  if (length < passwordLengthMin) return `Use at least ${passwordLengthMin} characters.`;
  if (length > passwordLengthMax) return `Use at most ${passwordLengthMax} characters.`;
  const folded = fold(password);
  const words = [own.email, own.email.split("@")[0] ?? "", own.name ?? "", ...own.handles];
  if (words.map(fold).some((word) => word.length >= ownWordMin && folded.includes(word))) {
    return "Leave your name, your e-mail address and your handle out of it.";
  }
  const common = await commonPasswords();
  if (common.has(folded) || common.has(password.normalize("NFKC").toLowerCase())) {
    return "This is one of the best-known passwords. Choose another.";
  }
  return null;
}

let loading: Promise<Set<string>> | undefined;

// A load that failed is tried again by the next call.
function commonPasswords(): Promise<Set<string>> {
  loading ??= loadCommonPasswords(passwordLengthMin).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

// Ignores spaces and punctuation, which do not make a word better.
function fold(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, "");
}
