"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";

const places = [
  { href: "/dashboard/settings", text: "Profile", ofProfile: true },
  { href: "/dashboard/settings/values", text: "Named values", ofProfile: true },
  { href: "/dashboard/settings/keys", text: "Keys", ofProfile: true },
  { href: "/dashboard/settings/export", text: "Export and import", ofProfile: true },
  { href: "/dashboard/settings/profiles", text: "Profiles", ofProfile: false },
  { href: "/dashboard/settings/account", text: "Account", ofProfile: false },
  { href: "/dashboard/settings/delete", text: "Delete", ofProfile: false },
];

/** Links to the settings; those of a profile only if there is one. */
export function SettingsNav({ hasProfile }: { hasProfile: boolean }) {
  const pathname = usePathname();
  const open = places.filter(({ ofProfile }) => hasProfile || !ofProfile);
  return (
    <nav aria-label="Settings">
      <ul className="flex flex-wrap gap-x-1 gap-y-1 border-b border-line pb-2">
        {open.map(({ href, text }) => (
          <li key={href}>
            <Link
              href={href}
              aria-current={href === pathname ? "page" : undefined}
              className="flex min-h-9 items-center rounded-box px-3 text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent-strong"
            >
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
