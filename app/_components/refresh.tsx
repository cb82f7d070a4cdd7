"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

const everyMs = 2_000;

/** Asks for the page again while it is seen, until what it waits for has ended. */
export function Refresh() {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) router.refresh();
    }, everyMs);
    return () => clearInterval(timer);
  }, [router]);
  return <noscript>Load this page again to see how it ended.</noscript>;
}
