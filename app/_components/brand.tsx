import Link from "next/link";

interface BrandProps {
  href: "/" | "/dashboard";
  /** Where there is room for the mark alone, its name is only read aloud. */
  nameClass?: string;
}

export function Brand({ href, nameClass = "" }: BrandProps) {
  return (
    <Link
      href={href}
      className="inline-flex min-w-0 items-center gap-2.5 rounded-control leading-4.5 font-bold tracking-tight text-ink"
    >
      <BrandMark />
      <span className={nameClass}>Profile Access Gateway</span>
    </Link>
  );
}

export function BrandMark({ className = "size-7" }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={`shrink-0 ${className}`} aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="light-dark(#17181b, #33353c)" />
      <rect x="7" y="7" width="4" height="18" rx="1" fill="#fff" />
      <rect x="21" y="7" width="4" height="18" rx="1" fill="#fff" />
      <circle cx="16" cy="16" r="3.4" fill="#ffc81a" />
    </svg>
  );
}
