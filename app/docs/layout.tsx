import type { Metadata } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { Brand } from "../_components/brand";
import { readTheme, themeCookie } from "../_components/theme";
import { ThemeSwitch } from "../_components/theme-switch";
import { chooseTheme } from "../theme-action";
import { DocsNav } from "./_parts/docs-nav";

export const metadata: Metadata = {
  title: {
    default: "API reference · Profile Access Gateway",
    template: "%s · API reference · Profile Access Gateway",
  },
  description: "How agents sign requests, read profiles, ask for access and propose memories.",
};

// The menu of a phone is a <details>: it opens before scripts do.
export default async function DocsLayout({ children }: { children: ReactNode }) {
  const theme = readTheme((await cookies()).get(themeCookie)?.value);
  return (
    <div className="lg:grid lg:min-h-dvh lg:grid-cols-[256px_minmax(0,1fr)]">
      <a
        href="#main"
        className="sr-only rounded-box bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-10"
      >
        Skip to content
      </a>
      <aside className="hidden border-r border-line bg-surface lg:block">
        <div className="sticky top-0 flex h-dvh flex-col gap-8 overflow-y-auto px-4 py-6">
          <Brand href="/" />
          <div className="flex-1">
            <DocsNav />
          </div>
          <ThemeSwitch current={theme} choose={chooseTheme} />
        </div>
      </aside>
      <details className="group border-b border-line bg-surface lg:hidden">
        <summary className="flex min-h-14 list-none items-center justify-between gap-4 px-4">
          <span className="font-semibold tracking-tight">API reference</span>
          <span className="rounded-box border border-edge px-3 py-1.5 font-medium">
            <span className="group-open:hidden">Menu</span>
            <span className="hidden group-open:inline">Close</span>
          </span>
        </summary>
        <div className="flex flex-col gap-5 border-t border-line px-4 py-4">
          <Brand href="/" />
          <DocsNav />
          <ThemeSwitch current={theme} choose={chooseTheme} />
        </div>
      </details>
      <main id="main" className="mx-auto w-full max-w-240 px-4 py-8 sm:px-8 lg:py-12">
        {children}
      </main>
    </div>
  );
}
