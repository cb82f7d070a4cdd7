"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, type RefObject, useCallback, useEffect, useState } from "react";
import { Button } from "../../../_components/button";
import { Confirm } from "../../../_components/forms/confirm";
import { EnterGuard } from "../../../_components/forms/enter-guard";
import type { FormState } from "../../../_components/forms/form-state";
import { OfProfile } from "../../../_components/forms/scope";
import { useSubmission } from "../../../_components/forms/use-submission";
import type { ReaderClock } from "../../../_components/words/time";
import { decideAction } from "../actions";
import { Lifetime, type Switch, Switches } from "./choices";
import { type Chosen, grantWords, summaryWords, switchPrefix } from "./words/grant-words";
import { type Choice, lastingWords } from "./words/lasting-words";

interface RequestFormProps {
  requestId: string;
  clock: ReaderClock;
  choices: Choice[];
  switches: Switch[];
  /** Over the parts, and below them. */
  head: ReactNode;
  rest: ReactNode;
}

/** The answer: what is open or stays closed on the owner's side, and for how long on the agent's. */
export function RequestForm({ requestId, clock, switches, ...shown }: RequestFormProps) {
  const choices = lastingWords(shown.choices, clock, useElapsed(clock));
  const router = useRouter();
  const { form, state, isPending, dispatch, send } = useSubmission(decideAction, {
    // With scripts the answer is a toast, which outlives the form, and the page goes on to what was decided.
    sends: (sent) => sent.set("scripted", "yes"),
    done: () => router.push(`/dashboard/access?request=${requestId}`),
  });
  const { values, issues } = state;
  const { typed, look } = useTyped(form);
  const current = typed ?? values;
  const isOn = ({ scope }: Switch) => current[switchPrefix + scope] !== undefined;
  const chosen = {
    parts: switches.filter(({ isLocked }) => !isLocked),
    on: new Set(switches.filter(isOn).map(({ scope }) => scope)),
    lasting: choices.find(({ value }) => value === current.choice),
  };
  return (
    <form
      ref={form}
      action={dispatch}
      onSubmit={send}
      onChange={look}
      autoComplete="off"
      className="contents"
      noValidate
    >
      <EnterGuard />
      <OfProfile />
      <input type="hidden" name="requestId" value={requestId} />
      <section
        aria-label="What it would see"
        className="parts rail:col-start-2 rail:row-span-2 rail:row-start-1"
      >
        {shown.head}
        <Switches switches={switches} values={values} issue={issues.scopes} />
        {shown.rest}
      </section>
      <div className="bg-theirs px-4 pt-4 pb-6 max-rail:border-t-4 max-rail:border-wall max-rail:empty:hidden rail:col-start-1 rail:row-start-2 rail:px-7 rail:pt-1">
        <Confirm state={state} />
        {chosen.parts.length > 0 && <Lifetime {...{ choices, values, issue: issues.choice }} />}
      </div>
      <Foot chosen={chosen} state={state} isPending={isPending} />
    </form>
  );
}

type Typed = Record<string, string>;

/** What is filled in now; null until something is. What was switched on before the scripts ran counts too. */
function useTyped(form: RefObject<HTMLFormElement | null>) {
  const [typed, setTyped] = useState<Typed | null>(null);
  const look = useCallback(() => {
    const entries = form.current === null ? [] : [...new FormData(form.current)];
    setTyped(Object.fromEntries(entries.map(([name, value]) => [name, String(value)])));
  }, [form]);
  useEffect(() => {
    if (form.current?.querySelector("input:checked")) look();
  }, [form, look]);
  return { typed, look };
}

/** For how many milliseconds the page has been open: one that stays open says no end that has passed. */
function useElapsed({ now }: ReaderClock): number {
  const madeAt = now.getTime();
  const [tick, setTick] = useState({ madeAt, elapsed: 0 });
  useEffect(() => {
    const openedAt = Date.now();
    const go = () => setTick({ madeAt, elapsed: Date.now() - openedAt });
    const timer = setInterval(go, 15_000);
    return () => clearInterval(timer);
  }, [madeAt]);
  return tick.madeAt === madeAt ? tick.elapsed : 0;
}

interface FootProps {
  chosen: Chosen;
  state: FormState;
  isPending: boolean;
}

function Foot({ chosen, state, isPending }: FootProps) {
  const { opens, rest, ends } = summaryWords(chosen);
  const act = "max-rail:min-h-13 rail:min-h-11";
  return (
    <div
      data-acts
      className="sticky bottom-0 z-5 flex flex-wrap items-center gap-2 border-t border-line bg-surface px-3 pt-2.5 pb-[calc(10px+env(safe-area-inset-bottom))] rail:col-span-2 rail:row-start-3 rail:gap-4 rail:px-7 rail:py-3 print:hidden"
    >
      <div className="min-w-0 flex-1 basis-full max-rail:text-small rail:basis-0">
        <p>
          <span aria-live="polite">
            <b className="font-semibold">{opens}</b> <span className="text-muted">{rest}</span>
          </span>{" "}
          <span className="text-muted">{ends}</span>
        </p>
        <p role="alert" className="text-danger empty:hidden">
          {refusalOf(state)}
        </p>
      </div>
      <Button
        type="submit"
        look="secondary"
        name="intent"
        value="deny"
        aria-disabled={isPending}
        className={`flex-1 rail:flex-none ${act}`}
      >
        Deny
      </Button>
      {chosen.parts.length > 0 && (
        <Button
          type="submit"
          look={chosen.lasting === undefined ? "secondary" : "primary"}
          name="intent"
          value="grant"
          aria-disabled={isPending}
          className={`flex-2 rail:flex-none rail:px-5 ${act}`}
        >
          {grantWords(chosen)}
        </Button>
      )}
    </div>
  );
}

function refusalOf({ ok, message, issues, confirm }: FormState): string | null {
  if (ok || typeof confirm === "string") return null;
  const isMissing = issues.scopes !== undefined || issues.choice !== undefined;
  return isMissing ? "Nothing was decided yet." : (issues.requestId ?? message);
}
