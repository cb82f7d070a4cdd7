"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { useFormState } from "../forms/form";
import { type Action, untouched } from "../forms/form-state";

const stillMs = 300;

export interface Preview<Shown> {
  shown: Shown | null;
  /** What is missing for a preview. */
  missing: string | null;
}

/**
 * Asks the form's own action what it would do, whenever the form rests; the newest question's answer is
 * shown. Without scripts, a button with the intent "preview" asks the same.
 */
export function usePreview<Shown>(action: Action<Shown>) {
  const { shown: posted } = useFormState<Shown>();
  const [preview, setPreview] = useState<Preview<Shown> | null>(null);
  const fields = useRef<HTMLDivElement>(null);
  const requests = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const look = useCallback(() => {
    clearTimeout(timer.current);
    const turn = ++requests.current;
    timer.current = setTimeout(() => {
      const form = fields.current?.closest("form");
      if (!form) return;
      const typed = new FormData(form);
      typed.set("intent", "preview");
      action(untouched, typed).then(
        ({ shown = null, issues }) => {
          if (turn !== requests.current) return;
          const [missing = null] = Object.values(issues);
          setPreview({ shown, missing });
        },
        // Where there is no answer, what was shown stays, and saving still tells.
        () => undefined,
      );
    }, stillMs);
  }, [action]);
  // Also counts choices made before the scripts ran.
  useEffect(() => {
    if (fields.current?.querySelector("option:checked:not([value='']), input:checked")) look();
  }, [look]);
  const current = preview ?? { shown: posted ?? null, missing: null };
  return { preview: current, isLive: preview !== null, fields, look };
}
