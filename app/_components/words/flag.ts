import { type FlagKind, flagNames } from "@/lib/protocol/flags";

/** What a person reads beside a claim that the guard flagged. */
export const flagWords: Record<FlagKind, string> = {
  secret: "Holds what looks like a password, a key or an account number",
  hidden: "Holds characters that nobody sees",
  lookalike: "Disguises letters as other letters",
  encoded: "Hides words in a code",
  machine: "Looks like a command for a machine",
  interface: "Imitates the words of this inbox",
  instructs: "Tells an assistant what to do",
  authority: "Claims that you allowed something",
  steers: "Pushes a product, a company or a source",
  link: "Holds a web or e-mail address",
  unread: "Too tangled to be checked",
  order: "Is written as an order, not as something about you",
};

/** The kinds among these, the most severe first. */
export function flagKindsOf(flags: readonly { kind: FlagKind }[]): FlagKind[] {
  return flagNames.filter((kind) => flags.some((flag) => flag.kind === kind));
}
