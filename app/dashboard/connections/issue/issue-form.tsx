"use client";

import type { ReactNode } from "react";
import { Field } from "../../../_components/forms/fields/field";
import { Form, useFormState } from "../../../_components/forms/form";
import { type Choices, DurationSlot, Sentence } from "../../../_components/pickers/sentence";
import { deeds } from "../../../_components/pickers/slots";
import { TwoSides } from "../../../_components/pickers/two-sides";
import { usePreview } from "../../../_components/pickers/use-preview";
import { InitialValues, type Values } from "../../../_components/pickers/values";
import { counted } from "../../../_components/words/list";
import { Groups, Summary } from "../../lens/lens";
import { type Issuing, issueAction } from "../actions";
import { IssuedToken } from "./issued-token";
import type { TokenView } from "./token-view";

interface IssueFormProps extends Choices {
  initial: Values;
  /** Where the token will be used. */
  gateway: string;
  /** The head of the page. */
  children: ReactNode;
}

export function IssueForm({ initial, gateway, ...fields }: IssueFormProps) {
  return (
    <InitialValues values={initial}>
      <Form action={issueAction} className="min-w-0">
        <Step gateway={gateway} {...fields} />
      </Form>
    </InitialValues>
  );
}

function Step({ gateway, ...fields }: Omit<IssueFormProps, "initial">) {
  const { issued } = useFormState<Issuing>().shown ?? {};
  return issued === undefined ? (
    <Fields {...fields} />
  ) : (
    <div className="flex flex-col gap-4">
      {fields.children}
      <IssuedToken {...issued} gateway={gateway} />
    </div>
  );
}

function Fields({ agents, categories, children }: Omit<IssueFormProps, "initial" | "gateway">) {
  const { preview, fields, look } = usePreview<Issuing>(issueAction);
  return (
    <TwoSides
      theirs={<TokenPreview view={preview.shown?.view ?? null} missing={preview.missing} />}
      submit={{ intent: "issue", words: "Issue the token" }}
      back="/dashboard/connections"
      look="Show what it would see"
    >
      <div ref={fields} onChange={look} className="group flex flex-col gap-4">
        {children}
        <Sentence
          start="With this token"
          deeds={deeds.slice(1)}
          ends={<DurationSlot name="days" />}
          identifier={{ placeholder: "did:prof:agent:acme:tablet" }}
          slots={["agentDid", "days", "tokens"]}
          {...{ agents, categories }}
        />
        <div className="max-w-100">
          <Field
            name="label"
            label="Label"
            hint="Where it will run, to know it by: “Kitchen tablet”. May stay empty."
            maxLength={100}
            autoComplete="off"
          />
        </div>
        <p className="max-w-prose text-muted">
          Issuing is your consent: from then on this agent may do what you chose here, until the
          token ends or you revoke it. “Never” among your rules still wins.
        </p>
      </div>
    </TwoSides>
  );
}

/** What the token would read; null before the sentence is filled in. */
function TokenPreview({ view, missing }: { view: TokenView | null; missing: string | null }) {
  const isRefused = !useFormState().ok;
  return (
    <section aria-labelledby="reads" className="flex flex-col gap-4">
      <div aria-live="polite">
        <h2 id="reads" className="text-lead font-semibold">
          What this token reads
        </h2>
        <p className="text-theirs-muted">
          {view?.reads ??
            (isRefused ? null : missing) ??
            "Fill in the sentence to see what the token reads."}
        </p>
      </div>
      {view !== null && (
        <>
          {view.widens !== null && <p className="font-medium">{view.widens}</p>}
          {view.proposes !== null && <p>{view.proposes}</p>}
          <h3 className="sr-only">By category</h3>
          <Groups groups={view.groups} />
          {view.besides.seen > 0 && (
            <details className="group">
              <Summary>{`Its own key reads besides: ${counted(view.besides.seen, "item")}`}</Summary>
              <p className="mt-2 text-theirs-muted">
                The token does not carry this, and takes nothing away.
              </p>
              <div className="mt-3 flex flex-col gap-4">
                <Groups groups={view.besides} />
              </div>
            </details>
          )}
        </>
      )}
    </section>
  );
}
