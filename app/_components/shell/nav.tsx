"use client";

import Link, { useLinkStatus } from "next/link";
import { usePathname } from "next/navigation";
import { type ComponentProps, useEffect, useRef } from "react";
import { Icon, type IconName } from "../icon";

/** An icon that is also there filled. */
type Outlined<Name = IconName> = Name extends IconName
  ? `${Name}-fill` extends IconName
    ? Name
    : never
  : never;

export interface Place {
  href: string;
  label: string;
  /** For a bar with little room. */
  short?: string;
  icon: Outlined | "arrow-left";
  /** How many wait there for an answer. */
  waiting?: number;
  /** How much is there. */
  holds?: string;
}

/** The one place whose page, or a page below it, is open: the longest address that fits. */
function openIn(places: Place[], pathname: string): string | undefined {
  return places
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

/** The places of the side; where it is narrow, as icons. */
export function Nav({ label: name, groups }: NavProps) {
  const open = openIn(groups.flat(), usePathname());
  return (
    <nav aria-label={name}>
      {groups.map((places) => (
        <ul
          key={places[0]?.href}
          className="flex flex-col gap-0.5 border-t border-line py-2 first:border-0 first:pt-0"
        >
          {places.map((place) => (
            <li key={place.href}>
              <SideLink {...place} isOpen={place.href === open} />
            </li>
          ))}
        </ul>
      ))}
    </nav>
  );
}

function SideLink({ href, label, icon, waiting = 0, holds, isOpen }: Shown) {
  return (
    <Link
      href={href}
      title={label}
      aria-current={isOpen ? "page" : undefined}
      className="side-link"
    >
      <PlaceIcon icon={icon} isOpen={isOpen} />
      <span className="whitespace-nowrap rail:max-full:sr-only">{label}</span>
      <OnItsWay />
      {holds !== undefined && (
        <span className="ml-auto px-1 text-small font-normal tabular-nums rail:max-full:hidden">
          {holds}
        </span>
      )}
      <Waiting
        count={waiting}
        className="ml-auto rail:max-full:absolute rail:max-full:-top-0.5 rail:max-full:right-0"
      />
    </Link>
  );
}

interface Shown extends Place {
  isOpen: boolean;
}

/** Filled where the place is open. */
function PlaceIcon({ icon, isOpen }: Pick<Shown, "icon" | "isOpen">) {
  return <Icon icon={isOpen && icon !== "arrow-left" ? `${icon}-fill` : icon} />;
}

/** Closes once one of its links is followed: the page changes, and what is around it stays. */
export function PhoneMenu(details: ComponentProps<"details">) {
  const ref = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const menu = ref.current;
    const close = ({ target }: Event) => {
      const isLink = target instanceof Element && target.closest("a") !== null;
      if (menu !== null && isLink) menu.open = false;
    };
    menu?.addEventListener("click", close);
    return () => menu?.removeEventListener("click", close);
  }, []);
  return <details ref={ref} {...details} />;
}

/** As many as the bar has columns: where a page comes in pieces, the first places stand still. */
const footMax = 5;

/** The bar at the foot of a phone: the first places, which people come for. The others are in its menu. */
export function FootBar({ groups }: { groups: Place[][] }) {
  const places = groups.flat();
  const open = openIn(places, usePathname());
  return (
    <nav
      id="foot"
      aria-label="Shortcuts"
      className="fixed inset-x-0 bottom-0 z-10 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] group-has-data-acts/shell:hidden rail:hidden print:hidden"
    >
      <ul className="grid h-15 grid-cols-5">
        {places.slice(0, footMax).map(({ href, label, short = label, icon, waiting = 0 }) => (
          <li key={href}>
            <Link
              href={href}
              aria-current={href === open ? "page" : undefined}
              className="relative flex h-full flex-col items-center justify-center gap-px border-t-3 border-transparent text-small leading-4.5 text-muted aria-[current=page]:border-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink"
            >
              <PlaceIcon icon={icon} isOpen={href === open} />
              {short}
              <OnItsWay />
              <Waiting count={waiting} className="absolute top-1 left-1/2 ml-2" />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Where a phone is, and how many wait there. */
export function Here({ groups }: { groups: Place[][] }) {
  const places = groups.flat();
  const open = openIn(places, usePathname());
  const { label, waiting = 0 } = places.find(({ href }) => href === open) ?? {};
  return (
    <>
      <span className="font-bold tracking-tight">{label ?? "Profile Access Gateway"}</span>
      <Waiting count={waiting} />
    </>
  );
}

export function Waiting({ count, className = "" }: { count: number; className?: string }) {
  if (count === 0) return null;
  return (
    <span
      className={`min-w-5 rounded-key bg-signal px-1.5 text-center text-small font-bold text-on-signal tabular-nums forced-colors:border ${className}`}
    >
      {count > 999 ? "999+" : count}
      <span className="sr-only"> waiting</span>
    </span>
  );
}

// Instead of a loading.tsx, whose page would stay hidden where no script runs: see page-skeleton.tsx.
function OnItsWay() {
  const { pending } = useLinkStatus();
  return pending ? <span data-pending hidden /> : null;
}
