"use client";

import { type ReactNode, useState } from "react";

interface SinceOpenedProps {
  now: Date;
  /** When it happened; null where nothing did. */
  at: Date | null;
  before: ReactNode;
  after: ReactNode;
}

/** Tells what happened after the page was opened from what happened before. */
export function SinceOpened({ now, at, before, after }: SinceOpenedProps) {
  const [openedAt] = useState(now);
  return at !== null && at > openedAt ? after : before;
}
