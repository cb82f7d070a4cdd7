import Link from "next/link";

interface SegmentsProps {
  label: string;
  choices: { href: string; text: string; isCurrent: boolean }[];
}

/** Renders the links that choose which part of a list is shown. */
export function Segments({ label, choices }: SegmentsProps) {
  return (
    <ul
      className="inline-flex max-w-full flex-wrap gap-1 rounded-box bg-sunken p-1"
      aria-label={label}
    >
      {choices.map(({ href, text, isCurrent }) => (
        <li key={href}>
          <Link
            href={href}
            prefetch={false}
            aria-current={isCurrent ? "true" : undefined}
            className="flex min-h-7 items-center rounded-box px-3 text-xs text-muted hover:text-ink aria-[current=true]:bg-lifted aria-[current=true]:text-ink aria-[current=true]:shadow-raised"
          >
            {text}
          </Link>
        </li>
      ))}
    </ul>
  );
}
