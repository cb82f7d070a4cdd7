"use client";

import { unstable_rethrow, useRouter } from "next/navigation";
import {
  type FormEvent,
  type ReactNode,
  useActionState,
  useEffect,
  useRef,
  useState,
  useTransition,
} from "react";
import { Button } from "../../../_components/button";
import { Confirm } from "../../../_components/forms/confirm";
import { unreachable, untouched } from "../../../_components/forms/form-state";
import { OfProfile, useScope } from "../../../_components/forms/scope";
import { useToaster } from "../../../_components/toasts/toasts";
import { Lens } from "../../lens/lens";
import type { LensView } from "../../lens/lens-view";
import { switchedOn, useLens } from "../../lens/use-lens";
import { decideAction, lensAction } from "../actions";
import { type Choice, Lifetime, type Switch, Switches } from "./choices";

interface RequestFormProps {
  requestId: string;
  agentName: string;
  switches: Switch[];
  choices: Choice[];
  /** What the agent sees with every switch off. */
  lens: LensView;
  /** Who asks, and why. */
  children: ReactNode;
}

export function RequestForm({ requestId, agentName, ...props }: RequestFormProps) {
  const { state, dispatch, send, pending } = useDecision(requestId);
  const form = useRef<HTMLFormElement>(null);
  const did = useScope();
  const live = useLens(form, (current) =>
    lensAction(did, { requestId, scopes: switchedOn(current) }),
  );
  const { issues, values } = state;
  useEffect(() => {
    if (!state.ok) form.current?.querySelector<HTMLElement>("[data-missing] input")?.focus();
  }, [state]);
  return (
    <form
      ref={form}
      action={dispatch}
      onSubmit={send}
      onChange={live.look}
      autoComplete="off"
      className="grid gap-x-8 gap-y-6 md:grid-cols-2"
      noValidate
    >
      <OfProfile />
      <Confirm state={state} />
      <input type="hidden" name="requestId" value={requestId} />
      <div className="flex flex-col gap-6">
        {props.children}
        <Switches switches={props.switches} values={values} issue={issues.scopes} />
        <noscript>
          <Button type="submit" look="secondary" name="intent" value="preview">
            Show what it would see
          </Button>
        </noscript>
      </div>
      <div className="md:sticky md:top-6 md:row-span-2 md:self-start">
        <Lens view={live.view ?? state.shown ?? props.lens} agentName={agentName} />
      </div>
      <div className="flex flex-col gap-6">
        <Lifetime choices={props.choices} values={values} issue={issues.choice} />
        <Refusal text={refusalOf(state)} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" name="intent" value="grant" aria-disabled={pending}>
            Grant selected
          </Button>
          <Button type="submit" look="secondary" name="intent" value="deny" aria-disabled={pending}>
            Deny
          </Button>
        </div>
      </div>
    </form>
  );
}

type Decision = Awaited<ReturnType<typeof decideAction>>;

// With scripts the answer is a toast, which outlives the form, and the page goes on to what was decided.
function useDecision(requestId: string) {
  const [posted, dispatch] = useActionState(decideAction, untouched);
  const [sent, setSent] = useState<Decision | null>(null);
  const [pending, start] = useTransition();
  const toaster = useToaster();
  const router = useRouter();
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    const { currentTarget, nativeEvent } = event;
    const submitter = nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null;
    const typed = new FormData(currentTarget, submitter);
    typed.set("scripted", "yes");
    start(async () => {
      const next = await decideAction(untouched, typed).catch((error: unknown) => {
        unstable_rethrow(error);
        return unreachable;
      });
      setSent(next);
      if (!next.ok || next.message === null) return;
      toaster?.show({ message: next.message, undo: next.undo });
      router.push(`/dashboard/access?request=${requestId}`);
    });
  }
  return { state: sent ?? posted, dispatch, send, pending };
}

type Refusable = Pick<Decision, "ok" | "message" | "issues" | "confirm">;

function refusalOf({ ok, message, issues, confirm }: Refusable): string | null {
  if (ok || typeof confirm === "string") return null;
  const missing = [issues.scopes, issues.choice].filter((issue) => issue !== undefined);
  return missing.length > 0 ? "Nothing was decided yet." : (issues.requestId ?? message);
}

function Refusal({ text }: { text: string | null }) {
  return (
    <p role="alert" className="text-danger empty:hidden">
      {text}
    </p>
  );
}
