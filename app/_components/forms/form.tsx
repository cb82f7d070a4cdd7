"use client";

import { createContext, type ReactNode, useContext } from "react";
import { Button } from "../button";
import { Notice } from "../states/notice";
import { TakeBack } from "../toasts/toasts";
import { Confirm } from "./confirm";
import { type Confirmation, type FormState, untouched } from "./form-state";
import { OfProfile } from "./scope";
import { useSubmission } from "./use-submission";

interface Current {
  state: FormState;
  isPending: boolean;
}

const CurrentForm = createContext<Current>({ state: untouched, isPending: false });

/** Returns the result of the form around this component. */
export function useFormState<Shown = unknown>(): FormState<Shown> {
  return useContext(CurrentForm).state as FormState<Shown>;
}

interface FormProps<Shown> {
  // A method, so that an action may know better what it shows.
  action(state: FormState<Shown>, form: FormData): Promise<FormState<Shown>>;
  /** Left out where the form brings its own buttons: see SubmitButton. */
  submit?: string;
  className?: string;
  /** Set where the page knows, before the form is sent, that its action needs a confirmation. */
  confirm?: Confirmation | null;
  /** With scripts, with what is sent: see useSubmission. */
  sends?: (form: FormData) => void;
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
  const { form, state, isPending, isToasted, dispatch, send } = useSubmission(action, {
    sends: props.sends,
    done: props.done,
  });
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

export function SubmitButton(props: React.ComponentProps<typeof Button>) {
  const { isPending } = useContext(CurrentForm);
  const { className = "", ...rest } = props;
  return (
    <Button
      type="submit"
      aria-busy={isPending}
      className={`self-start aria-busy:opacity-60 aria-disabled:opacity-60 ${className}`}
      {...rest}
    />
  );
}
