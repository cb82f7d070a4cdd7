"use client";

import { useCallback, useLayoutEffect, useRef } from "react";

/** Stays the same function from draw to draw, and does what the last of them says. */
export function useStable<Given extends unknown[]>(act: (...given: Given) => void) {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...given: Given) => latest.current(...given), []);
}
