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
