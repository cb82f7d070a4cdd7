"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { SidewaysNav } from "../../_components/lists/sideways-nav";

const places = [
  { href: "/dashboard/settings", text: "Profile", ofProfile: true },
  { href: "/dashboard/settings/values", text: "Named values", ofProfile: true },
  { href: "/dashboard/settings/keys", text: "Keys", ofProfile: true },
  { href: "/dashboard/settings/export", text: "Export and import", ofProfile: true },
  { href: "/dashboard/settings/reviewers", text: "Reviewers", ofProfile: false },
  { href: "/dashboard/settings/profiles", text: "Profiles", ofProfile: false },
  { href: "/dashboard/settings/mail", text: "Mail", ofProfile: false },
  { href: "/dashboard/settings/account", text: "Account", ofProfile: false },
  { href: "/dashboard/settings/delete", text: "Delete", ofProfile: false },
];

/** Links to the settings, in one line that scrolls sideways; those of a profile only if there is one. */
export function SettingsNav({ hasProfile }: { hasProfile: boolean }) {
  const pathname = usePathname();
  const open = places.filter(({ ofProfile }) => hasProfile || !ofProfile);
  return (
    <SidewaysNav label="Settings" current={pathname}>
      <ul className="flex w-max min-w-full gap-5 border-b border-line">
        {open.map(({ href, text }) => (
          <li key={href}>
            <Link
              href={href}
              aria-current={href === pathname ? "page" : undefined}
              className="flex min-h-11 items-center border-b-2 border-transparent font-medium whitespace-nowrap text-muted -outline-offset-2 hover:text-ink aria-[current=page]:border-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink forced-colors:not-aria-[current=page]:border-[Canvas]"
            >
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </SidewaysNav>
  );
}
