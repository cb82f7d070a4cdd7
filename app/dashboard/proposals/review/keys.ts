"use client";

import { useEffect, useRef, useState } from "react";

export const keyHelp = [
  { keys: "J", does: "Next proposal" },
  { keys: "K", does: "Previous proposal" },
  { keys: "A", does: "Approve it as it is" },
  { keys: "E", does: "Edit it, then approve" },
  { keys: "R", does: "Reject it, with a reason if you like" },
  { keys: "X", does: "Select it, to decide many at once" },
  { keys: "U", does: "Undo what you did last" },
  { keys: "Esc", does: "Leave a field, without deciding" },
  { keys: "?", does: "Show or hide this list" },
] as const;

export type Keys = Partial<Record<string, () => void>>;

const repeatable = ["j", "k"];

/** Single keys, where nobody is typing and no other key is held. Tells whether they are heard. */
export function useKeys(keys: Keys, isOn: boolean): boolean {
  const [isHeard, setHeard] = useState(false);
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    setHeard(isOn);
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      const act = latest.current[key];
      if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || (event.repeat && !repeatable.includes(key))) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [isOn]);
  return isHeard;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select"))
  );
}
