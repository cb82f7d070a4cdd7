const known: Record<string, string> = {
  suspended: "This account is suspended. Ask an admin of this gateway.",
  closed: "New accounts are made by invitation here. Ask an admin of this gateway.",
  "no-e-mail": "There, your e-mail address is not verified. Verify it, or sign up with a password.",
  "e-mail-in-use":
    "There is an account with your e-mail address already. Sign in to it, then link this sign-in under Settings, Account.",
};

/** Why somebody who came back is not signed in. */
export function signInTrouble(error: string | string[]): string {
  const words = typeof error === "string" && Object.hasOwn(known, error) ? known[error] : undefined;
  return words ?? "That sign-in did not work. Try again here.";
}
