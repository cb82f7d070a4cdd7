"use client";

import { type FormEvent, type ReactNode, useActionState, useEffect, useRef, useState } from "react";
import { Button } from "../../../_components/button";
import { Sensitive } from "../../../_components/shown/sensitive";
import { decideAction, lensAction } from "../actions";
import { Lens } from "./lens";
import type { LensView } from "./lens-view";

export interface Switch {
  /** Of the form's field. */
  name: string;
  scope: string;
  title: string;
  sensitive: boolean;
}

export interface Choice {
  value: string;
  title: string;
  note: string;
}

interface RequestFormProps {
  requestId: string;
  agentName: string;
  switches: Switch[];
  choices: Choice[];
  /** What it sees with every switch off. */
  lens: LensView;
  /** Who asks and why. */
  children: ReactNode;
}

const untouched = { ok: true, message: null, issues: {}, values: {} };

export function RequestForm({ requestId, agentName, ...props }: RequestFormProps) {
  const [state, dispatch, pending] = useActionState(decideAction, untouched);
  const form = useRef<HTMLFormElement>(null);
  const live = useLens(requestId, form);
  const { issues, values } = state;
  useEffect(() => {
    if (!state.ok) form.current?.querySelector<HTMLElement>("[data-missing] input")?.focus();
  }, [state]);
  return (
    <form
      ref={form}
      action={dispatch}
      onChange={live.look}
      autoComplete="off"
      className="grid gap-x-8 gap-y-6 md:grid-cols-2"
      noValidate
    >
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

// Switches that are on before scripts run, or that a browser brought back, count too.
function useLens(requestId: string, form: { current: HTMLFormElement | null }) {
  const [view, setView] = useState<LensView | null>(null);
  const asked = useRef(0);
  function look(event?: FormEvent<HTMLFormElement>) {
    const changed = event?.target;
    if (changed instanceof HTMLInputElement && changed.type === "radio") return;
    const turn = ++asked.current;
    const show = (answer: LensView | null) => {
      if (answer !== null && turn === asked.current) setView(answer);
    };
    // Where there is no answer, what was shown stays, and granting still tells.
    lensAction(requestId, switchedOn(form.current)).then(show, () => undefined);
  }
  const start = useRef(look);
  useEffect(() => {
    if (switchedOn(form.current).length > 0) start.current();
  }, [form]);
  return { view, look };
}

function switchedOn(form: HTMLFormElement | null): string[] {
  const boxes = form?.querySelectorAll<HTMLInputElement>("input[type=checkbox]:checked") ?? [];
  return Array.from(boxes, (box) => box.value);
}

type Refusable = { ok: boolean; message: string | null; issues: Record<string, string> };

function refusalOf({ ok, message, issues }: Refusable): string | null {
  if (ok) return null;
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

interface GroupProps {
  values: Record<string, string>;
  issue: string | undefined;
}

function Switches({ switches, values, issue }: GroupProps & { switches: Switch[] }) {
  return (
    <fieldset data-missing={issue === undefined ? undefined : true}>
      <legend className="mb-2 font-medium">What it may read</legend>
      <ul className="flex flex-col divide-y divide-line rounded-box border border-line">
        {switches.map(({ name, scope, title, sensitive }) => (
          <li key={scope}>
            <label className="flex min-h-12 cursor-pointer items-center justify-between gap-4 px-3 py-2">
              <span className="min-w-0">
                <span className="flex flex-wrap items-baseline gap-x-2">
                  <span className="font-medium wrap-anywhere">{title}</span>
                  {sensitive && <Sensitive />}
                </span>
                <span className="block font-mono text-xs wrap-anywhere text-muted">{scope}</span>
              </span>
              <input
                key={values[name]}
                type="checkbox"
                name={name}
                value={scope}
                defaultChecked={values[name] !== undefined}
                className="relative h-6 w-10 shrink-0 cursor-pointer appearance-none rounded-full border border-edge bg-sunken before:absolute before:top-1 before:left-1 before:size-3.5 before:rounded-full before:bg-edge checked:border-accent checked:bg-accent checked:before:translate-x-4 checked:before:bg-on-accent motion-safe:transition-colors motion-safe:before:transition-transform"
              />
            </label>
          </li>
        ))}
      </ul>
      {issue !== undefined && <p className="mt-2 text-danger">{issue}</p>}
    </fieldset>
  );
}

function Lifetime({ choices, values, issue }: GroupProps & { choices: Choice[] }) {
  return (
    <fieldset data-missing={issue === undefined ? undefined : true}>
      <legend className="mb-2 font-medium">For how long</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {choices.map(({ value, title, note }) => (
          <label
            key={value}
            className="flex cursor-pointer items-start gap-3 rounded-box border border-line px-3 py-2 has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              key={String(values.choice === value)}
              type="radio"
              name="choice"
              value={value}
              defaultChecked={values.choice === value}
              className="mt-1 size-3.5 shrink-0 accent-accent"
            />
            <span>
              <span className="block font-medium">{title}</span>
              <span className="block text-xs text-muted">{note}</span>
            </span>
          </label>
        ))}
      </div>
      {issue !== undefined && <p className="mt-2 text-danger">{issue}</p>}
    </fieldset>
  );
}
