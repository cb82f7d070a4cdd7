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
    const open = nav.current?.querySelector("[aria-current=page]");
    open?.scrollIntoView({ block: "nearest", inline: "center" });
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
