"use client";

import { useEffect } from "react";

/** Brings whoever followed a link to what it was for, with the keyboard too. */
export function Arrive({ at }: { at: string }) {
  useEffect(() => {
    const target = document.getElementById(at);
    target?.scrollIntoView({ block: "start" });
    target?.focus({ preventScroll: true });
  }, [at]);
  return null;
}
