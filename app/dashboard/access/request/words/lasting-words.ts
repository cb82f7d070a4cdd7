import { type ReaderClock, untilWords } from "../../../../_components/words/time";
import type { Lasting } from "./grant-words";

export interface Choice {
  value: string;
  title: string;
  /** For how long, where a time does not say it. */
  note: string | null;
  /** When a grant of now would end; null where only the owner ends it. */
  until: Date | null;
  /** "for 1 day", on the button. */
  grant: string;
}

export type LastingChoice = Omit<Choice, "until"> & Lasting;

/** The choices in words on a page that was made at the clock's time and has been open for `elapsed` milliseconds. */
export function lastingWords(
  choices: readonly Choice[],
  { now, zone }: ReaderClock,
  elapsed: number,
): LastingChoice[] {
  const later = (at: Date) => new Date(at.getTime() + elapsed);
  return choices.map(({ until, ...choice }) => {
    const end = until && untilWords(later(until), { now: later(now), zone });
    const note = choice.note ?? end;
    return { ...choice, note, ends: note ?? "until you end it" };
  });
}
