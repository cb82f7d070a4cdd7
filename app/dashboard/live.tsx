"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";

const gatherMs = 250;
// A busy agent makes news all the time; a page is not asked for more often than this.
const restMs = 2_000;

/** Asks for the page again when something of its profile changed; a page out of sight waits until it is seen. */
export function Live({ did, now }: { did: string; now: string }) {
  const router = useRouter();
  // When the page was made: what happened before anybody listened is asked for, too.
  const [since] = useState(now);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isStale = false;
    let wasLost = false;
    let lastRequestAt = 0;
    const ask = () => {
      timer = undefined;
      isStale = document.hidden;
      if (isStale) return;
      lastRequestAt = Date.now();
      router.refresh();
    };
    const refresh = () => {
      timer ??= setTimeout(ask, Math.max(gatherMs, lastRequestAt + restMs - Date.now()));
    };
    const seen = () => {
      if (isStale) refresh();
    };
    const source = new EventSource(`/api/live?${new URLSearchParams({ profile: did, since })}`);
    source.addEventListener("change", refresh);
    // The browser connects again by itself; events of the time in between are lost.
    source.addEventListener("error", () => {
      wasLost = true;
    });
    source.addEventListener("open", () => {
      if (wasLost) refresh();
      wasLost = false;
    });
    document.addEventListener("visibilitychange", seen);
    return () => {
      clearTimeout(timer);
      source.close();
      document.removeEventListener("visibilitychange", seen);
    };
  }, [router, did, since]);
  return null;
}
