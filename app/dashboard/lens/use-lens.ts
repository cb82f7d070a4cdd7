"use client";

import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import type { LensView } from "./lens-view";

type Ask = (form: HTMLFormElement) => Promise<LensView | null>;

/**
 * Asks for the preview again at each change of a switch. Switches that were on before the scripts ran count
 * too.
 */
export function useLens(form: RefObject<HTMLFormElement | null>, ask: Ask) {
  const [view, setView] = useState<LensView | null>(null);
  const requests = useRef(0);
  function look(event?: FormEvent<HTMLFormElement>) {
    const changed = event?.target;
    if (changed instanceof HTMLInputElement && changed.type !== "checkbox") return;
    if (form.current === null) return;
    const turn = ++requests.current;
    const show = (answer: LensView | null) => {
      if (answer !== null && turn === requests.current) setView(answer);
    };
    // Where there is no answer, what was shown stays, and granting still tells.
    ask(form.current).then(show, () => undefined);
  }
  const start = useRef(look);
  useEffect(() => {
    if (form.current !== null && switchedOn(form.current).length > 0) start.current();
  }, [form]);
  return { view, look };
}

/** The values of what is switched on. */
export function switchedOn(form: HTMLFormElement): string[] {
  const boxes = form.querySelectorAll<HTMLInputElement>("input[type=checkbox]:checked");
  return Array.from(boxes, (box) => box.value);
}
