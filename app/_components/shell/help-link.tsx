"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { Icon } from "../icon";

// The longer address comes first.
const sections = [
  ["/dashboard/proposals", "help#inbox"],
  ["/dashboard/access/policies", "help#rules"],
  ["/dashboard/access", "help#access-requests"],
  ["/dashboard/memories", "help#memories"],
  ["/dashboard/agents", "help#agents"],
  ["/dashboard/connections", "help#connections"],
  ["/dashboard/connect", "help#connect"],
  ["/dashboard/ask", "help#access-requests"],
  ["/dashboard/activity", "help#activity"],
  ["/dashboard/settings", "help#settings"],
  ["/dashboard", "help#overview"],
  ["/admin/settings", "operations#settings"],
  ["/admin/system", "operations#health"],
  ["/admin/backups", "operations#backups"],
  ["/admin/outbox", "operations#mail"],
  ["/admin", "operations#admins"],
] as const;

/** Returns the section of the documentation about the page with this address. */
export function helpFor(pathname: string): string {
  const [, section] = sections.find(([start]) => pathname.startsWith(start)) ?? [];
  return `/docs/${section ?? "help"}`;
}

export function HelpLink() {
  return (
    <Link
      href={helpFor(usePathname())}
      prefetch={false}
      title="Help with this page"
      className="flex min-h-11 items-center gap-2.5 rounded-control px-2.5 font-medium text-muted hover:bg-sunken hover:text-ink rail:min-h-9 rail:max-full:justify-center rail:max-full:px-0"
    >
      <Icon icon="question" />
      <span className="rail:max-full:sr-only">Help with this page</span>
    </Link>
  );
}
