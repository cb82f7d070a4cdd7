"use client";

import {
  createContext,
  type ReactNode,
  useActionState,
  useContext,
  useEffect,
  useRef,
} from "react";
import { useFormStatus } from "react-dom";
import { Button } from "./button";
import { Notice } from "./notice";

export interface FormState {
  ok: boolean;
  message: string | null;
  issues: Record<string, string>;
  values: Record<string, string>;
}

const untouched: FormState = { ok: true, message: null, issues: {}, values: {} };
const Current = createContext(untouched);

export function useFormState(): FormState {
  return useContext(Current);
}

interface FormProps {
  action: (state: FormState, form: FormData) => Promise<FormState>;
  submit: string;
  children: ReactNode;
}

/** A form on a server action: it works before scripts do, and keeps what was typed when refused. */
export function Form({ action, submit, children }: FormProps) {
  const [state, dispatch] = useActionState(action, untouched);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!state.ok) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [state]);
  return (
    <Current value={state}>
      <form ref={form} action={dispatch} className="flex flex-col gap-5" noValidate>
        {state.message !== null && (
          <Notice tone={state.ok ? "info" : "danger"}>{state.message}</Notice>
        )}
        {children}
        <Submit>{submit}</Submit>
      </form>
    </Current>
  );
}

function Submit({ children }: { children: ReactNode }) {
  const { pending } = useFormStatus();
  return (
    <Button type="submit" aria-disabled={pending} className="aria-disabled:opacity-60">
      {children}
    </Button>
  );
}
