"use client";

import {
  createContext,
  type FormEvent,
  type ReactNode,
  useActionState,
  useContext,
  useState,
  useTransition,
} from "react";
import { Button } from "../../_components/button";
import { type FormState, unreachable, untouched } from "../../_components/forms/form-state";
import { OfProfile } from "../../_components/forms/scope";
import { Notice } from "../../_components/notice";
import { InertText } from "../../_components/shown/inert-text";
import { TakeBack, useToaster } from "../../_components/toasts/toasts";
import { revokeAction } from "./actions";

interface Revoking {
  dispatch: (form: FormData) => void;
  send: (event: FormEvent<HTMLFormElement>) => void;
  isPending: boolean;
}

const Current = createContext<Revoking>({
  dispatch: () => {},
  send: () => {},
  isPending: false,
});

/** A token may leave the list when it is revoked, so what became of it is told by a toast, or above the list. */
export function Revocations({ children }: { children: ReactNode }) {
  const [posted, dispatch] = useActionState<FormState, FormData>(revokeAction, untouched);
  const [sent, setSent] = useState<FormState | null>(null);
  const [isPending, start] = useTransition();
  const toaster = useToaster();
  const state = sent ?? posted;
  const isToasted = sent?.ok === true && toaster !== null;
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isPending) return;
    const form = new FormData(event.currentTarget);
    start(async () => {
      const next = await revokeAction(untouched, form).catch(() => unreachable);
      setSent(next);
      if (next.ok) toaster?.show({ message: next.message ?? "", undo: next.undo });
    });
  }
  return (
    <Current value={{ dispatch, send, isPending }}>
      {state.message !== null && !isToasted && (
        <Notice tone={state.ok ? "info" : "danger"}>
          {state.message}
          {state.undo !== undefined && <TakeBack undo={state.undo} />}
        </Notice>
      )}
      {children}
    </Current>
  );
}

interface RevokeProps {
  id: string;
  agentName: string;
  lastFour: string;
}

/** Says what will end, and asks once more. A <details>: it opens before scripts do. */
export function Revoke({ id, agentName, lastFour }: RevokeProps) {
  const { dispatch, send, isPending } = useContext(Current);
  return (
    <details className="group open:basis-full open:rounded-box open:border open:border-danger/40 open:bg-danger-soft">
      <summary className="flex min-h-10 list-none items-center rounded-box border border-edge px-4 font-medium group-open:border-0 hover:bg-sunken group-open:hover:bg-transparent">
        Revoke
        <span className="sr-only">
          {" "}
          the token …{lastFour} of {agentName}
        </span>
        <span className="group-open:hidden">…</span>
      </summary>
      <form action={dispatch} onSubmit={send} className="px-4 pb-4">
        <p>
          Whatever runs with this token is refused at once, and the consent that issuing it was ends
          with it. What <InertText text={agentName} /> has read already stays with it.
        </p>
        <OfProfile />
        <input type="hidden" name="id" value={id} />
        <Button type="submit" look="danger" className="mt-4" aria-disabled={isPending}>
          Revoke now
        </Button>
      </form>
    </details>
  );
}
