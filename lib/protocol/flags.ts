/**
 * What the guard can see in a text, the most severe first. A `stop` is never decided in bulk or by a rule; a `look`
 * never by a rule.
 */
export const flagKinds = {
  secret: "stop",
  hidden: "stop",
  lookalike: "stop",
  encoded: "stop",
  machine: "stop",
  interface: "stop",
  instructs: "stop",
  authority: "stop",
  steers: "stop",
  link: "stop",
  unread: "stop",
  order: "look",
} as const;

export type FlagKind = keyof typeof flagKinds;
export type Strength = (typeof flagKinds)[FlagKind];

export const flagNames = Object.keys(flagKinds) as [FlagKind, ...FlagKind[]];

/** Whether one of these is never decided in bulk or by a rule, and takes a second act. */
export function isStopped(flags: readonly { kind: FlagKind }[]): boolean {
  return flags.some(({ kind }) => flagKinds[kind] === "stop");
}

/** What no screen shows, and what changes how the rest is drawn; white space that is seen is among it. */
export const hiddenOne =
  /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\ufffc\u{1d159}]/u;
