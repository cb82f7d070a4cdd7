"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { useFormState } from "./form";

interface SeenProps {
  version: string;
  /** Whether the page shows the newest version beside the form: then a refused form goes on from that. */
  isBeside?: boolean;
}

/**
 * Which version a form changes. Once the user has typed, it stays the one that was shown then, also when
 * the page around it is loaded again: else a change made in between would be overwritten unseen.
 */
export function Seen({ version, isBeside = false }: SeenProps) {
  const state = useFormState();
  const router = useRouter();
  const field = useRef<HTMLInputElement>(null);
  const [kept, setKept] = useState<string | null>(null);
  const [before, setBefore] = useState(state);
  if (before !== state) {
    setBefore(state);
    if (state.ok || isBeside) setKept(null);
  }
  useEffect(() => {
    const form = field.current?.form;
    const keep = () => setKept((since) => since ?? version);
    form?.addEventListener("input", keep);
    return () => form?.removeEventListener("input", keep);
  }, [version]);
  useEffect(() => {
    if (!state.ok && isBeside) router.refresh();
  }, [state, isBeside, router]);
  return (
    <>
      <input ref={field} type="hidden" name="seen" value={kept ?? version} readOnly />
      {isBeside && kept !== null && kept !== version && (
        <p role="status" className="text-danger">
          It was changed elsewhere while you were typing. Above is how it reads now.
        </p>
      )}
    </>
  );
}
