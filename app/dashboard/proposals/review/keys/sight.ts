"use client";

import { type RefObject, useEffect, useState } from "react";

const sightMs = 300;

/**
 * Whether the claim and the flags it came with were wholly in view for 300 ms; of what scrolls, its end after its
 * beginning. A key or a click decides only then. The two `[data-edge]` mark where they begin and end.
 */
export function useSight(claim: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const [start, end] = claim.current?.querySelectorAll("[data-edge]") ?? [];
    if (start === undefined || end === undefined) return;
    let isBegun = false;
    let isEndInView = false;
    let timer: number | undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, intersectionRatio } of entries) {
          const isInView = intersectionRatio >= 0.5;
          // Who scrolled before anything was observed has passed the beginning.
          const isPassed = (claim.current?.scrollTop ?? 0) > 0;
          if (target === start) isBegun ||= isInView || isPassed;
          else isEndInView = isInView;
        }
        clearTimeout(timer);
        if (isBegun && isEndInView) timer = window.setTimeout(() => setSeen(true), sightMs);
      },
      { threshold: 0.5 },
    );
    observer.observe(start);
    observer.observe(end);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [claim]);
  return isSeen;
}
