"use client";

import { unstable_rethrow } from "next/navigation";
import {
  type FormEvent,
  startTransition,
  useActionState,
  useEffect,
  useRef,
  useState,
  useTransition,
} from "react";
import { useToaster } from "../toasts/toasts";
import { type Action, type FormState, unreachable, untouched } from "./form-state";

interface Around<Shown> {
  /** Called with what the form is sent with, before anything is known of the answer. */
  sends?: (form: FormData) => void;
  /** Called after the action was accepted. */
  done?: (state: FormState<Shown>) => void;
}

/**
 * With scripts the action is called from here, so that its result is shown even where the form has left
 * the page with what it changed; without, the browser posts the form.
 */
export function useSubmission<Shown>(action: Action<Shown>, { sends, done }: Around<Shown> = {}) {
  const [posted, dispatch] = useActionState<FormState<Shown>, FormData>(action, untouched);
  const [sent, setSent] = useState<FormState<Shown> | null>(null);
  const [isPending, start] = useTransition();
  const toaster = useToaster();
  const form = useRef<HTMLFormElement>(null);
  const latest = useRef<{ text: string; answer: Promise<void> | null }>({ text: "", answer: null });
  const state = sent ?? posted;
  useEffect(() => {
    // A form that asks for a confirmation goes to that question by itself.
    if (!state.ok && typeof state.confirm !== "string") showReason(form.current);
  }, [state]);
  async function submit(element: HTMLFormElement, typed: FormData) {
    sends?.(typed);
    const next = await action(untouched, typed).catch((error: unknown) => {
      unstable_rethrow(error);
      return unreachable;
    });
    // With the page as it is then: what is said to be done is seen, and what is done next is done to that.
    startTransition(() => {
      setSent(next);
      const { ok, message, undo } = next;
      if (ok && message !== null) toaster?.show({ message, undo });
    });
    if (!next.ok) return forgetSecrets(element);
    if (Object.keys(next.values).length === 0) element.reset();
    done?.(next);
  }
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { currentTarget } = event;
    const typed = sentBy(event);
    const text = JSON.stringify([...typed]);
    // A double click is one act; another act waits for the answer to the one that is under way.
    if (isPending && latest.current.text === text) return;
    const before = isPending ? latest.current.answer : null;
    start(() => {
      const one = () => submit(currentTarget, typed);
      const answer = before === null ? one() : before.then(one);
      latest.current = { text, answer };
      return answer;
    });
  }
  const isToasted = sent?.ok === true && toaster !== null;
  return { form, state, isPending, isToasted, dispatch, send };
}

// Beside the field that is wrong; else in the form or before it.
function showReason(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLElement>("[aria-invalid=true]");
  field?.focus();
  const [issueId = ""] = field?.getAttribute("aria-describedby")?.split(" ") ?? [];
  const reason = field
    ? document.getElementById(issueId)
    : (form?.querySelector("[data-reason]") ?? form?.previousElementSibling);
  reason?.scrollIntoView({ block: "nearest" });
}

/** What a form is sent with, its button too. */
export function sentBy({ currentTarget, nativeEvent }: FormEvent<HTMLFormElement>): FormData {
  const submitter = nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null;
  return new FormData(currentTarget, submitter);
}

// Clears secrets that were refused: they are hidden, so the user types them again.
function forgetSecrets(form: HTMLFormElement): void {
  for (const field of form.querySelectorAll<HTMLInputElement>("[type=password], [data-secret]")) {
    field.value = "";
  }
}
