import { fittingCount } from "../../words/list";

export type Option = readonly [value: string, text: string];

interface OptionsProps {
  choices: readonly Option[];
  /** Is among them, however many there are. */
  chosen: string;
}

/** The options of a select; where they are too many, the first of them and how many there are. */
export function Options({ choices, chosen }: OptionsProps) {
  const count = fittingCount(choices, { of: sizeOf, max: optionsCharactersMax });
  const further = choices.slice(count).filter(([value]) => value === chosen);
  return (
    <>
      {[...choices.slice(0, count), ...further].map(([value, text]) => (
        <option key={value} value={value === text ? undefined : value}>
          {text}
        </option>
      ))}
      {count < choices.length && (
        <option disabled>
          The first {count} of {choices.length}
        </option>
      )}
    </>
  );
}

/** Two hundred options of the usual length. */
export const optionsCharactersMax = 10_000;

/** An option without a value has its text as value. */
export function sizeOf([value, text]: Option): number {
  return value === text ? text.length : value.length + text.length;
}
