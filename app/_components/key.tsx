interface KeyProps {
  children: string;
  /** The key that acts now. */
  isMain?: boolean;
  className?: string;
}

/** A key to press, for the eye: a phone has none, and where single keys are off none is shown. */
export function Key({ children, isMain = false, className = "" }: KeyProps) {
  const look = isMain
    ? "border-transparent bg-signal text-on-signal forced-colors:border-current"
    : "border-line bg-sunken text-ink";
  return (
    <span
      aria-hidden="true"
      className={`inline-block min-w-5.5 flex-none whitespace-nowrap rounded-key border px-1.5 text-center font-sans text-small leading-5 font-semibold in-data-[keys=off]:hidden noscript:hidden max-rail:hidden ${look} ${className}`}
    >
      {children}
    </span>
  );
}
