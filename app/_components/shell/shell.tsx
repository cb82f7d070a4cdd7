import type { ReactNode } from "react";
import { Brand } from "../brand";
import { PageSkeleton } from "./page-skeleton";

interface ShellProps {
  /** Where one can go. */
  nav: ReactNode;
  /** The signed-in user and their settings. */
  account: ReactNode;
  children: ReactNode;
}

// One column with a menu on a phone, two columns from 1024 px. The menu is a <details>, so it opens without
// scripts.
export function Shell({ nav, account, children }: ShellProps) {
  return (
    <div className="group/shell lg:grid lg:min-h-dvh lg:grid-cols-[256px_minmax(0,1fr)]">
      <a
        href="#main"
        className="sr-only rounded-box bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-10"
      >
        Skip to content
      </a>
      <aside className="hidden border-r border-line bg-surface lg:block">
        <div className="sticky top-0 flex h-dvh flex-col gap-8 overflow-y-auto px-4 py-6">
          <Brand href="/dashboard" />
          <div className="flex-1">{nav}</div>
          {account}
        </div>
      </aside>
      <details className="group border-b border-line bg-surface lg:hidden">
        <summary className="flex min-h-14 list-none items-center justify-between gap-4 px-4">
          <span className="font-semibold tracking-tight">Profile Access Gateway</span>
          <span className="rounded-box border border-edge px-3 py-1.5 font-medium">
            <span className="group-open:hidden">Menu</span>
            <span className="hidden group-open:inline">Close</span>
          </span>
        </summary>
        <div className="flex flex-col gap-6 border-t border-line px-4 py-4">
          {nav}
          {account}
        </div>
      </details>
      <main id="main" className="relative mx-auto w-full max-w-240 px-4 py-8 sm:px-8 lg:py-12">
        {children}
        <PageSkeleton />
      </main>
    </div>
  );
}
