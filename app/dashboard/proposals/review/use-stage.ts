"use client";

import { useCallback, useLayoutEffect, useRef } from "react";

const keyActs = { a: "approve", y: "yes", e: "edit", r: "reject", d: "likeness" } as const;

/** The place of the one card: what the keys press in it, and the focus, which the next card takes over. */
export function useStage(shown: string | undefined) {
  const ref = useRef<HTMLElement>(null);
  const before = useRef(shown);
  const isTaken = useRef(false);
  useLayoutEffect(() => {
    const isFree = document.activeElement === document.body;
    if (before.current !== shown && (isTaken.current || isFree)) {
      ref.current
        ?.querySelector<HTMLElement>("article, h2[tabindex]")
        ?.focus({ preventScroll: true });
    }
    before.current = shown;
    isTaken.current = false;
  }, [shown]);
  const press = (act: string) => () =>
    ref.current?.querySelector<HTMLElement>(`[data-act=${act}]`)?.click();
  const acts = Object.fromEntries(Object.entries(keyActs).map(([key, act]) => [key, press(act)]));
  /** The next card that is shown has the focus. */
  const take = useCallback(() => {
    isTaken.current = true;
    const queue = document.getElementById("queue");
    if (queue?.matches(":popover-open")) queue.hidePopover();
  }, []);
  return { ref, acts, take };
}
