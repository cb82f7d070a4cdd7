import Link from "next/link";

interface SegmentsProps {
  label: string;
  choices: { href: string; text: string; isCurrent: boolean }[];
}

/** The looks of a choice between a few things, and of each of them. */
const segmentsBox =
  "inline-flex max-w-full flex-wrap overflow-hidden print:hidden rounded-control border border-edge bg-surface";
const segment =
  "flex min-h-9 items-center px-3 font-semibold text-muted hover:text-ink focus-visible:-outline-offset-2 aria-pressed:bg-ink aria-pressed:text-on-ink aria-[current=true]:bg-ink aria-[current=true]:text-on-ink forced-colors:aria-pressed:bg-[Highlight] forced-colors:aria-pressed:text-[HighlightText] forced-colors:aria-pressed:forced-color-adjust-none forced-colors:aria-[current=true]:bg-[Highlight] forced-colors:aria-[current=true]:text-[HighlightText] forced-colors:aria-[current=true]:forced-color-adjust-none max-rail:min-h-11";

/** A choice of which part of a list to show. */
export function Segments({ label, choices }: SegmentsProps) {
  return (
    <ul className={segmentsBox} aria-label={label}>
      {choices.map(({ href, text, isCurrent }) => (
        <li key={href}>
          <Link
            href={href}
            prefetch={false}
            aria-current={isCurrent ? "true" : undefined}
            className={segment}
          >
            {text}
          </Link>
        </li>
      ))}
    </ul>
  );
}

interface SegmentButtonsProps<Value extends string> {
  label: string;
  name: string;
  choices: readonly (readonly [value: Value, text: string])[];
  current: Value;
  turn?: (value: Value) => void;
}

/** A choice that is sent at once: each of its buttons sends the form around it. */
export function SegmentButtons<Value extends string>(props: SegmentButtonsProps<Value>) {
  const { label, name, choices, current, turn } = props;
  return (
    <fieldset className={segmentsBox}>
      <legend className="sr-only">{label}</legend>
      {choices.map(([value, text]) => (
        <button
          key={value}
          type="submit"
          name={name}
          value={value}
          aria-pressed={value === current}
          onClick={turn && (() => turn(value))}
          className={segment}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}

type State = "active" | "expired" | "revoked";

const states: [state: State | undefined, text: string][] = [
  [undefined, "All"],
  ["active", "Active"],
  ["expired", "Expired"],
  ["revoked", "Revoked"],
];

interface StateSegmentsProps {
  label: string;
  current: State | undefined;
  hrefOf: (state: State | undefined) => string;
}

/** Which tokens or receipts to show. */
export function StateSegments({ label, current, hrefOf }: StateSegmentsProps) {
  const choices = states.map(([state, text]) => {
    return { href: hrefOf(state), text, isCurrent: state === current };
  });
  return <Segments label={label} choices={choices} />;
}
