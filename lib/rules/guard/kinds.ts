import { type FlagKind, flagKinds, type Strength } from "@/lib/protocol/flags";

/** The kind of that name in a table; throws where there is none. */
export function kindNamed(name: string): FlagKind {
  if (!Object.hasOwn(flagKinds, name)) throw new Error(`${name} is not a kind of flag`);
  return name as FlagKind;
}

/** A piece of a text, in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

export interface Flag extends Span {
  kind: FlagKind;
  strength: Strength;
}

/** Thrown where a text takes more steps than it may. */
export class TooTangled extends Error {
  override readonly name = "TooTangled";
}

/** Counts the steps that reading a text takes. */
export function createBudget(stepsMax: number) {
  let steps = 0;
  return {
    spend(count = 1): void {
      steps += count;
      if (steps > stepsMax) throw new TooTangled();
    },
  };
}

export type Budget = ReturnType<typeof createBudget>;
