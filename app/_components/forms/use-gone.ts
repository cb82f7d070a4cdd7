"use client";

import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

/**
 * Becomes true when the page is left. A browser may keep a whole page to go back to; a secret is to be gone from it by
 * then.
 */
export function useGone(): boolean {
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    const leave = () => flushSync(() => setGone(true));
    window.addEventListener("pagehide", leave);
    return () => window.removeEventListener("pagehide", leave);
  }, []);
  return isGone;
}
