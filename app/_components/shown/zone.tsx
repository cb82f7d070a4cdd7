"use client";

import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { zoneCookie } from "../shell/zone";

const Zone = createContext("UTC");
const yearSeconds = 365 * 24 * 60 * 60;

/** The time zone of what is shown: the one the browser said last time, then the browser's own. */
export function ZoneScope({ zone, children }: { zone: string; children: ReactNode }) {
  const [current, setCurrent] = useState(zone);
  useEffect(() => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    if (timeZone === zone) return;
    // biome-ignore lint/suspicious/noDocumentCookie: the store of cookies is not in every browser.
    document.cookie = `${zoneCookie}=${timeZone}; path=/; max-age=${yearSeconds}; samesite=lax`;
    setCurrent(timeZone);
  }, [zone]);
  return <Zone value={current}>{children}</Zone>;
}

export function useZone(): string {
  return useContext(Zone);
}
