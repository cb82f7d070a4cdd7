"use client";

import Link, { useLinkStatus } from "next/link";
import { usePathname } from "next/navigation";

export interface Place {
  href: string;
  label: string;
  /** How many wait there for an answer. */
  waiting?: number;
}

/** The one place whose page, or a page below it, is open: the longest address that fits. */
function openIn(groups: Place[][], pathname: string): string | undefined {
  return groups
    .flat()
    .map(({ href }) => href)
    .filter(
      (href) => pathname === href || (href !== "/dashboard" && pathname.startsWith(`${href}/`)),
    )
    .sort((one, other) => other.length - one.length)[0];
}

interface NavProps {
  label: string;
  groups: Place[][];
}

export function Nav({ label: name, groups }: NavProps) {
  const pathname = usePathname();
  const open = openIn(groups, pathname);
  return (
    <nav aria-label={name}>
      {groups.map((places) => (
        <ul
          key={places[0]?.href}
          className="flex flex-col gap-1 border-t border-line py-2 first:border-0 first:pt-0"
        >
          {places.map(({ href, label, waiting = 0 }) => (
            <li key={href}>
              <Link
                href={href}
                aria-current={href === open ? "page" : undefined}
                className="flex min-h-10 items-center justify-between gap-2 rounded-box px-3 text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent-strong"
              >
                {label}
                <OnItsWay />
                {waiting > 0 && (
                  <span className="rounded-box bg-accent px-1.5 text-xs font-medium text-on-accent tabular-nums">
                    {waiting > 999 ? "999+" : waiting}
                    <span className="sr-only"> waiting</span>
                  </span>
                )}
              </Link>
            </li>
          ))}
        </ul>
      ))}
    </nav>
  );
}

// Instead of a loading.tsx, whose page would stay hidden where no script runs: see page-skeleton.tsx.
function OnItsWay() {
  const { pending } = useLinkStatus();
  return pending ? <span data-pending hidden /> : null;
}
