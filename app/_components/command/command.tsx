"use client";

import { useEffect, useState } from "react";
import type { Find } from "./use-palette";

// Only what opens it is a part of every page.
const load = () => import("./palette");

/** Opens the search over any page: by Ctrl or ⌘ K, and by every link of FindLink. */
export function Command({ find }: { find: Find }) {
  const [isOpen, setIsOpen] = useState(false);
  const [loaded, setLoaded] = useState<Awaited<ReturnType<typeof load>>>();
  useEffect(() => {
    if (isOpen) void load().then(setLoaded);
  }, [isOpen]);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      // The first of the two keys: the rest is there when the second is pressed.
      if (event.key === "Control" || event.key === "Meta") void load();
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      if (event.altKey || event.shiftKey) return;
      event.preventDefault();
      setIsOpen((before) => !before);
    };
    const clicked = (event: MouseEvent) => {
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
      const { target } = event;
      if (!isPlain || !(target instanceof Element) || !target.closest("[data-command]")) return;
      event.preventDefault();
      setIsOpen(true);
    };
    document.addEventListener("keydown", pressed);
    document.addEventListener("click", clicked);
    return () => {
      document.removeEventListener("keydown", pressed);
      document.removeEventListener("click", clicked);
    };
  }, []);
  if (!isOpen || loaded === undefined) return null;
  return <loaded.Palette find={find} close={() => setIsOpen(false)} />;
}
