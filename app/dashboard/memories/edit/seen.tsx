"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { useFormState } from "../../../_components/forms/form";

/**
 * Which state of the memory a form was filled in for: what came after it is not overwritten unseen. So
 * it stands still from the first key to the result, though the page around it may be newer.
 */
export function Seen({ memoryId, at }: { memoryId: string; at: string }) {
  const state = useFormState();
  const router = useRouter();
  const field = useRef<HTMLInputElement>(null);
  const [typedFor, setTypedFor] = useState<string | null>(null);
  const [before, setBefore] = useState(state);
  if (before !== state) {
    setBefore(state);
    setTypedFor(null);
  }
  useEffect(() => {
    const form = field.current?.form;
    const stop = () => setTypedFor((since) => since ?? at);
    form?.addEventListener("input", stop);
    return () => form?.removeEventListener("input", stop);
  }, [at]);
  useEffect(() => {
    if (!state.ok) router.refresh();
  }, [state, router]);
  return (
    <>
      <input type="hidden" name="memoryId" value={memoryId} />
      <input ref={field} type="hidden" name="seen" value={typedFor ?? at} />
      {typedFor !== null && typedFor !== at && (
        <p role="status" className="text-danger">
          It was changed elsewhere while you were typing. Above is how it reads now.
        </p>
      )}
    </>
  );
}
