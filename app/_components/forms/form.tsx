"use client";

import { unstable_rethrow } from "next/navigation";
import {
  createContext,
  type FormEvent,
  type ReactNode,
  useActionState,
  useContext,
  useEffect,
  useRef,
  useState,
  useTransition,
} from "react";
import { Button } from "../button";
import { Notice } from "../notice";
import { TakeBack, useToaster } from "../toasts/toasts";
import { Confirm } from "./confirm";
import { type Confirmation, type FormState, unreachable, untouched } from "./form-state";
import { OfProfile } from "./scope";

interface Current {
  state: FormState;
  isPending: boolean;
}

const CurrentForm = createContext<Current>({ state: untouched, isPending: false });

/** Returns the result of the form around this component. */
export function useFormState<Shown = unknown>(): FormState<Shown> {
  return useContext(CurrentForm).state as FormState<Shown>;
}

type Action<Shown> = (state: FormState<Shown>, form: FormData) => Promise<FormState<Shown>>;

interface FormProps<Shown> {
  // A method, so that an action may know better what it shows.
  action(state: FormState<Shown>, form: FormData): Promise<FormState<Shown>>;
  /** Left out where the form brings its own buttons: see SubmitButton. */
  submit?: string;
  className?: string;
  /** Set where the page knows, before the form is sent, that its action needs a confirmation. */
  confirm?: Confirmation | null;
  /** With scripts, after it was accepted. */
  done?: (state: FormState<Shown>) => void;
  children: ReactNode;
}

/** A form on a server action: it works before scripts do, and keeps what was typed when refused. */
export function Form<Shown>({
  action,
  submit,
  className = "flex flex-col gap-5",
  ...props
}: FormProps<Shown>) {
  const { form, state, isPending, isToasted, dispatch, send } = useSubmission(action, props.done);
  return (
    <CurrentForm value={{ state, isPending }}>
      {!isToasted && <Result state={state} />}
      <form ref={form} action={dispatch} onSubmit={send} className={className} noValidate>
        <OfProfile />
        <Confirm state={state} initial={props.confirm} />
        {props.children}
        {submit !== undefined && <SubmitButton>{submit}</SubmitButton>}
      </form>
    </CurrentForm>
  );
}

// Beside the form, not in it: its undo is a form too.
function Result({ state: { ok, message, undo, confirm } }: { state: FormState }) {
  // The message about a confirmation is shown next to its field.
  if (message === null || typeof confirm === "string") return null;
  return (
    <div className="mb-4">
      <Notice tone={ok ? "info" : "danger"}>
        {message}
        {undo !== undefined && <TakeBack undo={undo} />}
      </Notice>
    </div>
  );
}

/**
 * With scripts the action is called from here, so that its result is told even where the form has left
 * the page with what it changed; without, the browser posts the form.
 */
function useSubmission<Shown>(action: Action<Shown>, done: FormProps<Shown>["done"]) {
  const [posted, dispatch] = useActionState<FormState<Shown>, FormData>(action, untouched);
  const [sent, setSent] = useState<FormState<Shown> | null>(null);
  const [isPending, start] = useTransition();
  const toaster = useToaster();
  const form = useRef<HTMLFormElement>(null);
  const state = sent ?? posted;
  const isToasted = sent?.ok === true && toaster !== null;
  useEffect(() => {
    if (!state.ok) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [state]);
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isPending) return;
    const { currentTarget, nativeEvent } = event;
    const submitter = nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null;
    const typed = new FormData(currentTarget, submitter);
    start(async () => {
      const next = await action(untouched, typed).catch((error: unknown) => {
        unstable_rethrow(error);
        return unreachable;
      });
      setSent(next);
      if (!next.ok) return forgetSecrets(currentTarget);
      if (next.message !== null) toaster?.show({ message: next.message, undo: next.undo });
      if (Object.keys(next.values).length === 0) currentTarget.reset();
      done?.(next);
    });
  }
  return { form, state, isPending, isToasted, dispatch, send };
}

// Clears secrets that were refused: they are hidden, so the user types them again.
function forgetSecrets(form: HTMLFormElement): void {
  for (const field of form.querySelectorAll<HTMLInputElement>("input[type=password]")) {
    field.value = "";
  }
}

export function SubmitButton(props: React.ComponentProps<typeof Button>) {
  const { isPending } = useContext(CurrentForm);
  const { className = "", ...rest } = props;
  return (
    <Button
      type="submit"
      aria-disabled={isPending}
      className={`self-start aria-disabled:opacity-60 ${className}`}
      {...rest}
    />
  );
}
