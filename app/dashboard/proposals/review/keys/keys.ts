"use client";

import { useEffect } from "react";
import { useStable } from "../use-stable";

export const keyHelp = [
  { keys: "J", does: "Next proposal" },
  { keys: "K", does: "Previous proposal" },
  { keys: "A", does: "Approve it; what is sensitive asks you first" },
  { keys: "Y", does: "Keep what is sensitive, once you are asked" },
  { keys: "E", does: "Edit it or its category" },
  { keys: "Ctrl Enter", does: "Approve with your changes" },
  { keys: "R", does: "Reject it, with a reason if you like" },
  { keys: "D", does: "Drop what you have or rejected already" },
  { keys: "U", does: "Undo, up to 50 decisions back" },
  { keys: "Esc", does: "Back to the card, without deciding" },
  { keys: "?", does: "Show or hide this list" },
] as const;

export type Keys = Partial<Record<string, () => void>>;

const repeatable = ["j", "k"];

/** Single keys, where nobody is typing and no other key is held. */
export function useKeys(keys: Keys, isOn: boolean): void {
  const press = useStable((event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    const act = keys[key];
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target) || (event.repeat && !repeatable.includes(key))) return;
    if (key !== "?" && (isElsewhere() || isCovered())) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    if (!isOn) return;
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [isOn, press]);
}

/** Whether the focus is outside of the inbox, as on a link of the navigation or in a notice above it. */
function isElsewhere(): boolean {
  const { activeElement, body } = document;
  const isFree = activeElement === null || activeElement === body;
  return !isFree && activeElement.closest("[data-keys]") === null;
}

/** Whether something lies over the page. */
function isCovered(): boolean {
  return document.querySelector(":popover-open, dialog[open]") !== null;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select"))
  );
}
