"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";

export interface Place {
  href: string;
  label: string;
}

export function Nav({ places }: { places: Place[] }) {
  const pathname = usePathname();
  return (
    <nav aria-label="Dashboard">
      <ul className="flex flex-col gap-1">
        {places.map(({ href, label }) => (
          <li key={href}>
            <Link
              href={href}
              aria-current={pathname === href ? "page" : undefined}
              className="flex min-h-10 items-center rounded-box px-3 text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent-strong"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
