"use client";

import { useLayoutEffect } from "react";

const places = new Map<string, number>();
let wentBack = false;
if (typeof window !== "undefined") addEventListener("popstate", () => (wentBack = true));

/**
 * Goes back to where a list was left. The browser does so while the shorter page before it is still shown, and so stops
 * where that one ends.
 */
export function KeepPlace() {
  useLayoutEffect(() => {
    const { href } = location;
    const place = places.get(href);
    if (wentBack && place !== undefined) scrollTo(0, place);
    wentBack = false;
    return () => void places.set(href, scrollY);
  }, []);
  return null;
}
