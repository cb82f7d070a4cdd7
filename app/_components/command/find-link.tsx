"use client";

import { useSyncExternalStore } from "react";
import { Icon } from "../icon";
import { Key } from "../key";

/** Looks like a field and opens the search; without scripts it leads to the page that searches. */
export function FindLink({ href }: { href: string }) {
  const isMac = useSyncExternalStore(never, hasCommandKey, () => false);
  return (
    <a
      href={href}
      data-command=""
      aria-keyshortcuts="Meta+K Control+K"
      title="Search or go to"
      className="flex min-h-9 items-center gap-1.5 rounded-control border border-edge bg-surface px-2 text-muted hover:border-ink rail:max-full:justify-center rail:max-full:px-0"
    >
      <Icon icon="magnifying-glass" className="size-4" />
      <span className="flex-1 whitespace-nowrap rail:max-full:sr-only">Search or go to</span>
      <Key className="rail:max-full:hidden">{isMac ? "⌘ K" : "Ctrl K"}</Key>
    </a>
  );
}

const never = () => () => {};
const hasCommandKey = () => /^(Mac|iP)/.test(navigator.platform);

/** The same where there is room for an icon only: before the menu of a phone. */
export function FindIcon({ href }: { href: string }) {
  return (
    <a
      href={href}
      data-command=""
      title="Search or go to"
      className="absolute top-1 right-13 inline-flex size-11 items-center justify-center rounded-control"
    >
      <Icon icon="magnifying-glass" />
      <span className="sr-only">Search or go to</span>
    </a>
  );
}
