"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useId, useRef, useState } from "react";
import { Button } from "../button";
import { buttonIn, type Confirmation, type FormState } from "./form-state";

interface ConfirmProps {
  state: Pick<FormState, "confirm" | "issues" | "values">;
  /** Set where the page already knows that its action needs a confirmation. */
  initial?: Confirmation | null;
}

/**
 * Asks for what the change of a form demands of the person; nothing where they confirmed lately. It comes
 * first in its form: Enter presses the first submit button, which repeats the one that was pressed.
 */
export function Confirm({ state, initial = null }: ConfirmProps) {
  const id = useId();
  const { question, deed } = useQuestion(state);
  const way = state.confirm === undefined ? initial : state.confirm;
  const issue = state.issues.confirmPassword;
  if (way === null) return null;
  if (way === "sign-in") {
    return (
      <p ref={question} className="col-span-full mb-3">
        <ConfirmLink target="_blank">
          Sign in again in a new tab to confirm that it is you
        </ConfirmLink>
        , then come back and repeat this.
      </p>
    );
  }
  return (
    <div ref={question} className="col-span-full mb-3 flex w-full min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="font-medium">
        Your password
      </label>
      <input
        id={id}
        name="confirmPassword"
        type="password"
        autoComplete="current-password"
        required
        aria-invalid={issue !== undefined}
        aria-describedby={`${id}-hint`}
        className="w-full control"
      />
      <p
        id={`${id}-hint`}
        className={issue === undefined ? "text-small text-muted" : "text-danger"}
      >
        {issue ?? `Enter your password to go on${deed}. You are not asked again for ten minutes.`}
      </p>
      {initial === null && (
        <Button type="submit" className="mt-2 self-start" {...buttonIn(state.values)}>
          Confirm and go on
        </Button>
      )}
    </div>
  );
}

function useQuestion(state: ConfirmProps["state"]) {
  const question = useRef<HTMLDivElement & HTMLParagraphElement>(null);
  const [deed, setDeed] = useState("");
  useEffect(() => {
    if (typeof state.confirm !== "string") return;
    question.current?.querySelector<HTMLElement>("input, a")?.focus();
    setDeed(wordsOf(question.current?.closest("form"), state));
  }, [state]);
  return { question, deed };
}

// Names the button that was pressed: " with “Remove Allergies”". The question's own button, which repeats it, comes
// before it.
function wordsOf(form: HTMLFormElement | null | undefined, { values }: ConfirmProps["state"]) {
  const { name, value } = buttonIn(values);
  const pressed = Array.from(form?.querySelectorAll("button") ?? []).findLast(
    (one) => name !== undefined && one.name === name && one.value === value,
  );
  return pressed === undefined ? "" : ` with “${pressed.textContent.trim()}”`;
}

/** Leads to the page that confirms, and from there back to this one. */
export function ConfirmLink(props: { target?: "_blank"; children: string }) {
  const search = useSearchParams().toString();
  const back = `${usePathname()}${search === "" ? "" : `?${search}`}`;
  return (
    <a href={`/confirm?${new URLSearchParams({ back })}`} className="link font-medium" {...props} />
  );
}
