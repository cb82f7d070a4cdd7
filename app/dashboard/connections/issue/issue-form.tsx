"use client";

import { useActionState, useEffect, useRef } from "react";
import { Button } from "../../../_components/button";
import { Confirm } from "../../../_components/forms/confirm";
import type { FormState } from "../../../_components/forms/form-state";
import { OfProfile, useScope } from "../../../_components/forms/scope";
import { Lens } from "../../lens/lens";
import type { LensView } from "../../lens/lens-view";
import { switchedOn, useLens } from "../../lens/use-lens";
import { type Issuing, issueAction, seeTokenAction } from "../actions";
import { scopesTyped } from "../scopes-typed";
import { Life, Naming, Permissions, Scopes, type Switch } from "./fields";
import { IssuedToken } from "./issued-token";

interface IssueFormProps {
  agentDid: string;
  agentName: string;
  /** Where the token will be used. */
  gateway: string;
  switches: Switch[];
  /** The number of categories; the switches show the first of them. */
  categoryCount: number;
  /** What the agent sees with every switch off. */
  lens: LensView;
}

type State = FormState<Issuing>;

const untouched: State = { ok: true, message: null, issues: {}, values: {} };

export function IssueForm(props: IssueFormProps) {
  const { agentDid, agentName, gateway, switches, categoryCount, lens } = props;
  const [state, dispatch, isPending] = useActionState<State, FormData>(issueAction, untouched);
  const form = useRef<HTMLFormElement>(null);
  const did = useScope();
  const live = useLens(form, (current) => seeTokenAction(did, reachIn(current, agentDid)));
  const { issues, values, shown } = state;
  useEffect(() => {
    if (!state.ok) form.current?.querySelector<HTMLElement>("[data-missing] input")?.focus();
  }, [state]);
  if (shown !== undefined && "issued" in shown) {
    return <IssuedToken {...shown.issued} agentName={agentName} gateway={gateway} />;
  }
  const fields = { issues, values };
  return (
    <form
      ref={form}
      action={dispatch}
      onChange={live.look}
      autoComplete="off"
      className="grid gap-x-8 gap-y-6 md:grid-cols-2"
      noValidate
    >
      <OfProfile />
      <Confirm state={state} />
      <input type="hidden" name="agentDid" value={agentDid} />
      <div className="flex flex-col gap-6">
        <h2 className="text-base font-semibold">What the token lets through</h2>
        <Permissions {...fields} />
        <Scopes {...fields} {...{ switches, categoryCount }} typed={() => live.look()} />
        <noscript>
          <Button type="submit" look="secondary" name="intent" value="preview">
            Show what it would see
          </Button>
        </noscript>
      </div>
      <div className="md:sticky md:top-6 md:row-span-2 md:self-start">
        <Lens view={live.view ?? shown?.view ?? lens} agentName={agentName} />
      </div>
      <div className="flex flex-col gap-6">
        <Life {...fields} />
        <Naming {...fields} />
        <p className="text-muted">
          Issuing is your consent: from then on this agent may do what you chose here, until the
          token ends or you revoke it. A denial among your policies still holds.
        </p>
        <Refusal state={state} />
        <Button
          type="submit"
          name="intent"
          value="issue"
          aria-disabled={isPending}
          className="self-start"
        >
          Issue the token
        </Button>
      </div>
    </form>
  );
}

function Refusal({ state: { ok, message, issues, confirm } }: { state: State }) {
  const text = issues.tokens ?? issues.agentDid ?? message;
  return (
    <p role="alert" className="text-danger empty:hidden">
      {ok || typeof confirm === "string" ? null : text}
    </p>
  );
}

function reachIn(form: HTMLFormElement, agentDid: string) {
  const on = switchedOn(form);
  const scopes = on.filter((value) => value.startsWith("prof:"));
  const others = new FormData(form).get("others");
  if (typeof others === "string") scopes.push(...scopesTyped(others));
  return { agentDid, scopes, permissions: on.filter((value) => !value.startsWith("prof:")) };
}
