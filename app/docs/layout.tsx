import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { Brand, BrandMark } from "../_components/brand";
import { readerTheme } from "../_components/shell/reader-theme";
import { ThemeSwitch } from "../_components/shell/theme-switch";
import { chooseTheme } from "../theme-action";
import { DocsNav } from "./_parts/docs-nav";
import { docsLink } from "./_parts/docs-pages";
import { SearchForm } from "./_parts/search/search-form";

export const metadata: Metadata = {
  title: { default: "Documentation", template: "%s · Documentation · Profile Access Gateway" },
  description: "Help for owners of profiles, and how agents sign requests, read, ask and propose.",
};

// The menu of a phone is a <details>: it opens before scripts do.
export default function DocsLayout({ children }: { children: ReactNode }) {
  const menu = (
    <>
      <SearchForm label="Search" />
      <div className="flex-1 rail:-mx-3 rail:min-h-0 rail:overflow-y-auto rail:px-3">
        <DocsNav />
      </div>
      <Foot />
    </>
  );
  return (
    <div className="print:block rail:grid rail:min-h-dvh rail:grid-cols-[216px_minmax(0,1fr)]">
      <a
        href="#main"
        className="sr-only rounded-control bg-ink px-4 py-2 text-on-ink focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-20"
      >
        Skip to content
      </a>
      <aside className="hidden border-r border-line rail:block print:hidden">
        <div className="sticky top-0 flex h-dvh flex-col gap-4 px-3 py-3.5">
          <div className="px-2">
            <Brand href="/" />
          </div>
          {menu}
        </div>
      </aside>
      <header className="rail:hidden print:hidden">
        <details className="group border-b border-line">
          <summary className="flex min-h-13 list-none items-center gap-2.5 pr-2 pl-4">
            <BrandMark className="size-6.5" />
            <span className="font-bold tracking-tight">Documentation</span>
            <span className="ml-auto inline-flex min-h-11 items-center px-2 font-medium">
              <span className="group-open:hidden">Menu</span>
              <span className="hidden group-open:inline">Close</span>
            </span>
          </summary>
          <div className="flex flex-col gap-4 border-t border-line px-4 py-4">{menu}</div>
        </details>
      </header>
      <main
        id="main"
        className="mx-auto w-full max-w-270 px-4 pt-6 pb-24 rail:px-8 rail:py-10 print:max-w-none print:p-0"
      >
        {children}
      </main>
    </div>
  );
}

async function Foot() {
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-2">
      <Link href="/dashboard" className={docsLink}>
        Your dashboard
      </Link>
      <ThemeSwitch current={await readerTheme()} choose={chooseTheme} />
    </div>
  );
}
