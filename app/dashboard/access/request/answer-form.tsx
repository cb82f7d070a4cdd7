"use client";

import { type ReactNode, type RefObject, useCallback, useEffect, useState } from "react";
import { Button } from "../../../_components/button";
import { Confirm } from "../../../_components/forms/confirm";
import { EnterGuard } from "../../../_components/forms/enter-guard";
import type { Action, FormState } from "../../../_components/forms/form-state";
import { OfProfile, useScope } from "../../../_components/forms/scope";
import { useSubmission } from "../../../_components/forms/use-submission";
import type { ReaderClock } from "../../../_components/words/time";
import { Lifetime, type Switch, Switches } from "./choices";
import { type Chosen, grantWords, summaryWords, switchPrefix } from "./words/grant-words";
import { type Choice, type LastingChoice, lastingWords } from "./words/lasting-words";

export interface AnswerShown {
  clock: ReaderClock;
  choices: Choice[];
  switches: Switch[];
  /** Over the parts, and below them. */
  head: ReactNode;
  rest: ReactNode;
}

interface AnswerFormProps<Shown> extends AnswerShown {
  action: Action<Shown>;
  /** What the answer is to. */
  subject: { name: string; value: string };
  done: (state: FormState<Shown>) => void;
  /** What else there is to choose, below the parts, with what was chosen before. */
  more?: ((values: Typed) => ReactNode) | undefined;
  /** What is shown in place of the form, if anything is. */
  instead?: (state: FormState<Shown>) => ReactNode;
}

/**
 * The answer: what is open or stays closed on the owner's side, and for how long on the agent's. With scripts the page
 * goes on from it.
 */
export function AnswerForm<Shown>({
  action,
  subject,
  done,
  clock,
  switches,
  ...props
}: AnswerFormProps<Shown>) {
  const question = useQuestion(subject);
  const choices = lastingWords(props.choices, clock, useElapsed(clock));
  const { form, state, isPending, dispatch, send } = useSubmission(action, {
    sends: (sent) => sent.set("scripted", "yes"),
    done: (next) => {
      kept.delete(question);
      done(next);
    },
  });
  const { values, look, chosen, issues } = useChosen({ form, state, switches, choices, question });
  return (
    props.instead?.(state) ?? (
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
        <input type="hidden" {...subject} />
        <section
          aria-label="What it would see"
          className="parts rail:col-start-2 rail:row-span-2 rail:row-start-1"
        >
          {props.head}
          <Switches switches={switches} values={values} issue={issues.scopes} />
          {props.more?.(values)}
          {props.rest}
        </section>
        <div className="bg-theirs px-4 pt-4 pb-6 max-rail:border-t-4 max-rail:border-wall max-rail:empty:hidden rail:col-start-1 rail:row-start-2 rail:px-7 rail:pt-1">
          <Confirm state={state} />
          {chosen.parts.length > 0 && <Lifetime {...{ choices, values, issue: issues.choice }} />}
        </div>
        <Foot chosen={chosen} refusal={refusalOf(state, issues)} isPending={isPending} />
      </form>
    )
  );
}

type Typed = Record<string, string>;

interface Offered {
  switches: Switch[];
  choices: LastingChoice[];
}

function chosenIn(typed: Typed, { switches, choices }: Offered): Chosen {
  const isOn = ({ scope }: Switch) => typed[switchPrefix + scope] !== undefined;
  return {
    parts: switches.filter(({ isLocked }) => !isLocked),
    on: new Set(switches.filter(isOn).map(({ scope }) => scope)),
    lasting: choices.find(({ value }) => value === typed.choice),
  };
}

interface Choosing extends Offered {
  form: RefObject<HTMLFormElement | null>;
  state: FormState;
  question: string;
}

function useChosen({ form, state, question, ...offered }: Choosing) {
  const [before] = useState(() => kept.get(question) ?? {});
  const values = Object.keys(state.values).length > 0 ? state.values : before;
  const { typed, look } = useTyped(form, question);
  const chosen = chosenIn(typed ?? values, offered);
  return { values, look, chosen, issues: openIssues(state, chosen) };
}

/**
 * The choices in each open question, for the way back from a page that it links to. They are in no address: a link
 * must not switch anything on.
 */
const kept = new Map<string, Typed>();

/** What one owner chose must not be switched on for another. */
function useQuestion({ value }: { value: string }): string {
  return `${useScope()} ${value}`;
}

/** What is chosen now; null until something is. What was switched on before the scripts ran counts too. */
function useTyped(form: RefObject<HTMLFormElement | null>, question: string) {
  const [typed, setTyped] = useState<Typed | null>(null);
  const look = useCallback(() => {
    const inputs = form.current?.querySelectorAll<HTMLInputElement>("input:checked") ?? [];
    const chosen = Object.fromEntries(Array.from(inputs, ({ name, value }) => [name, value]));
    kept.set(question, chosen);
    setTyped(chosen);
  }, [form, question]);
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
  refusal: string | null;
  isPending: boolean;
}

function Foot({ chosen, refusal, isPending }: FootProps) {
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
        <p role="alert" data-reason className="text-danger empty:hidden">
          {refusal}
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

/** What was missing when it was sent, and still is. */
function openIssues({ issues }: FormState, { on, lasting }: Chosen): FormState["issues"] {
  const { scopes, choice, ...others } = issues;
  return {
    ...others,
    ...(scopes !== undefined && on.size === 0 && { scopes }),
    ...(choice !== undefined && lasting === undefined && { choice }),
  };
}

function refusalOf(
  { ok, message, issues: sent, confirm }: FormState,
  issues: FormState["issues"],
): string | null {
  if (ok || typeof confirm === "string") return null;
  const isMissing = issues.scopes !== undefined || issues.choice !== undefined;
  const wasMissing = sent.scopes !== undefined || sent.choice !== undefined;
  if (wasMissing && !isMissing) return null;
  return isMissing ? "Nothing was decided yet." : (issues.requestId ?? issues.name ?? message);
}
