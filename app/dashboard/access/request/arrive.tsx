"use client";

import { useEffect } from "react";

/** Moves the focus to the target of a followed link, with the keyboard too. */
export function Arrive({ at }: { at: string }) {
  useEffect(() => {
    const target = document.getElementById(at);
    // Does nothing if the user already works there: content must not move under a finger.
    if (target === null || target.contains(document.activeElement)) return;
    target.scrollIntoView({ block: "start" });
    target.focus({ preventScroll: true });
  }, [at]);
  return null;
}
