"use client";

import { useEffect, useRef, useState } from "react";
import { useFormState } from "./form";

/**
 * Which version a form changes. Once somebody has typed, it stays the one that was shown then, also when
 * the page around it is loaded again: else a change made in between would be overwritten unseen.
 */
export function Seen({ version }: { version: string }) {
  const field = useRef<HTMLInputElement>(null);
  const [kept, setKept] = useState<string | null>(null);
  const state = useFormState();
  const saved = useRef(state);
  useEffect(() => {
    const form = field.current?.form;
    const keep = () => setKept((before) => before ?? version);
    form?.addEventListener("input", keep);
    return () => form?.removeEventListener("input", keep);
  }, [version]);
  useEffect(() => {
    // The version that this form has made itself is the one to go on from.
    if (!state.ok || saved.current === state || kept === version) return;
    saved.current = state;
    setKept(null);
  }, [state, kept, version]);
  return <input ref={field} type="hidden" name="seen" value={kept ?? version} readOnly />;
}
