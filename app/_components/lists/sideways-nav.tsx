"use client";

import { type ReactNode, useEffect, useRef } from "react";

interface SidewaysNavProps {
  label: string;
  /** Changes with the open link. */
  current: string;
  className?: string;
  children: ReactNode;
}

/** Links in one line that scrolls sideways, with the open one in view. */
export function SidewaysNav({ label, current, className = "", children }: SidewaysNavProps) {
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the links change with it
  useEffect(() => {
    const line = nav.current;
    const open = line?.querySelector("[aria-current=page]");
    // The line alone: the page stays where its reader has scrolled it.
    if (line && open) line.scrollBy({ left: middleOf(open) - middleOf(line) });
  }, [current]);
  return (
    <nav
      ref={nav}
      aria-label={label}
      className={`-mx-4 scroll-px-4 overflow-x-auto px-4 rail:mx-0 rail:px-0 ${className}`}
    >
      {children}
    </nav>
  );
}

function middleOf(element: Element): number {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}
