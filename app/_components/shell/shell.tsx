import type { ReactNode } from "react";
import { Brand, BrandMark } from "../brand";
import { FindIcon, FindLink } from "../command/find-link";
import { Icon } from "../icon";
import { FootBar, Here, Nav, PhoneMenu, type Place } from "./nav";
import { PageSkeleton } from "./page-skeleton";

interface ShellProps {
  label: string;
  places: Place[][];
  /** Above the places. */
  head?: ReactNode;
  account: ReactNode;
  /** The page that searches, where there is one. */
  search?: string;
  children: ReactNode;
}

// To 900 px a head, a menu and a bar; to 1180 px a rail of icons; above it the whole side. The menu is a <details>,
// so it opens without scripts.
export function Shell({ label, places, head, account, search, children }: ShellProps) {
  const nav = (
    <div className="flex flex-col gap-4">
      {head}
      <Nav label={label} groups={places} />
    </div>
  );
  return (
    <div className="group/shell print:block rail:grid rail:min-h-dvh rail:grid-cols-[64px_minmax(0,1fr)] full:grid-cols-[216px_minmax(0,1fr)]">
      <a
        href="#main"
        className="sr-only rounded-control bg-ink px-4 py-2 text-on-ink focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-20"
      >
        Skip to content
      </a>
      {/* Half of a list has other columns than all of it: a page is painted once its last element is there. */}
      <link rel="expect" href="#foot" blocking="render" />
      <aside className="hidden border-r border-line rail:block print:hidden">
        <div className="sticky top-0 flex h-dvh flex-col gap-4 px-2 py-3.5 full:px-3">
          <div className="px-2 rail:max-full:flex rail:max-full:justify-center">
            <Brand href="/dashboard" nameClass="rail:max-full:sr-only" />
          </div>
          {search !== undefined && <FindLink href={search} />}
          <div className="-mx-3 min-h-0 flex-1 overflow-y-auto px-3">{nav}</div>
          {account}
        </div>
      </aside>
      <PhoneHead places={places} search={search}>
        {nav}
        {account}
      </PhoneHead>
      <main
        id="main"
        className="relative mx-auto w-full max-w-295 px-4 pt-4 pb-24 has-data-full:flex has-data-full:h-[calc(100dvh-53px)] has-data-full:max-w-none has-data-full:flex-col has-data-full:p-0 rail:px-8 rail:py-6 rail:has-data-full:h-dvh print:max-w-none print:p-0"
      >
        {children}
        <PageSkeleton />
      </main>
      <FootBar groups={places} />
    </div>
  );
}

interface PhoneHeadProps {
  places: Place[][];
  search: string | undefined;
  /** The menu. */
  children: ReactNode;
}

function PhoneHead({ places, search, children }: PhoneHeadProps) {
  return (
    <header className="relative rail:hidden print:hidden">
      <PhoneMenu className="group border-b border-line">
        <summary className="flex min-h-13 list-none items-center gap-2.5 pr-2 pl-4">
          <BrandMark className="size-6.5" />
          <Here groups={places} />
          <span className="ml-auto inline-flex min-h-11 items-center rounded-control px-2.5">
            <Icon icon="list" className="size-5 group-open:hidden" />
            <Icon icon="x" className="hidden size-5 group-open:block" />
            <span className="sr-only">Menu</span>
          </span>
        </summary>
        <div className="flex flex-col gap-4 border-t border-line px-4 py-4">{children}</div>
      </PhoneMenu>
      {search !== undefined && <FindIcon href={search} />}
    </header>
  );
}
