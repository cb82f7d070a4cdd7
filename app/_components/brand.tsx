import Link from "next/link";

interface BrandProps {
  href: "/" | "/dashboard";
}

export function Brand({ href }: BrandProps) {
  return (
    <Link
      href={href}
      className="inline-flex items-center gap-3 rounded-box font-semibold tracking-tight text-ink"
    >
      <svg viewBox="0 0 32 32" className="size-7 shrink-0" aria-hidden="true">
        <rect width="32" height="32" rx="8" className="fill-accent" />
        <g className="stroke-on-accent" fill="none" strokeWidth="2.5" strokeLinecap="round">
          <path d="M8.5 25V15a7.5 7.5 0 0 1 15 0v10" />
          <path d="M16 18.5V25" />
        </g>
        <circle cx="16" cy="16" r="2.75" className="fill-on-accent" />
      </svg>
      Profile Access Gateway
    </Link>
  );
}
