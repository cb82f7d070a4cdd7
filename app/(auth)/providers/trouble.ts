const known: Record<string, string> = {
  suspended: "This account is suspended. Ask an admin of this gateway.",
  closed: "New accounts are made by invitation here. Ask an admin of this gateway.",
  "no-e-mail": "Your e-mail address is not verified there. Verify it, or sign up with a password.",
  "e-mail-in-use":
    "There is an account with your e-mail address already. Sign in to it, then link this sign-in under Settings, Account.",
};

/** Explains why the sign-in with a provider failed. */
export function signInTrouble(error: string | string[]): string {
  const words = typeof error === "string" && Object.hasOwn(known, error) ? known[error] : undefined;
  return words ?? "That sign-in did not work. Try again here.";
}
