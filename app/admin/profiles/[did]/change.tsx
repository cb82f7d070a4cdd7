"use client";

import { type ReactNode, useId } from "react";
import { Field } from "../../../_components/forms/field";
import { Form, SubmitButton } from "../../../_components/forms/form";
import {
  deleteAction,
  formatAction,
  stateAction,
  transferAction,
  withdrawAction,
} from "../actions";

const types = [
  { value: "human", title: "A person" },
  { value: "agent", title: "An agent" },
  { value: "entity", title: "An organisation or thing" },
] as const;

interface FormatProps {
  did: string;
  profileType: "human" | "agent" | "entity";
  version: string;
}

export function Format({ did, profileType, version }: FormatProps) {
  const id = useId();
  return (
    <Form action={formatAction} submit="Change">
      <input type="hidden" name="did" value={did} />
      <div className="flex flex-col gap-1.5">
        <label htmlFor={id} className="font-medium">
          Whose profile it is
        </label>
        <select
          id={id}
          name="profileType"
          key={profileType}
          defaultValue={profileType}
          className="min-h-10 rounded-box border border-edge bg-surface px-3 text-base sm:max-w-80 sm:text-sm"
        >
          {types.map(({ value, title }) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </div>
      <Field name="version" label="Version of its format" initial={version} autoComplete="off" />
    </Form>
  );
}

export function Transfer({ did }: { did: string }) {
  return (
    <Form action={transferAction}>
      <input type="hidden" name="did" value={did} />
      <p className="text-muted">
        The profile goes to the other account with all that it holds, once both owners accept. If
        its owner does not answer within seven days, the other account's acceptance is enough; while
        the owner is suspended it waits. Its signing keys, connection tokens and receipts are
        revoked then, and the rules that open something are switched off.
      </p>
      <Field
        name="email"
        label="E-mail address of the new owner"
        type="email"
        maxLength={254}
        autoComplete="off"
      />
      <SubmitButton look="danger">Request transfer</SubmitButton>
    </Form>
  );
}

interface WaitingProps {
  did: string;
  /** To whom it goes, who has accepted, and when it takes effect. */
  children: ReactNode;
}

export function WaitingTransfer({ did, children }: WaitingProps) {
  return (
    <Form action={withdrawAction}>
      <input type="hidden" name="did" value={did} />
      {children}
      <SubmitButton look="danger">Withdraw</SubmitButton>
    </Form>
  );
}

export function StateSwitch({ did, state }: { did: string; state: "active" | "suspended" }) {
  const suspends = state === "active";
  return (
    <Form action={stateAction}>
      <input type="hidden" name="did" value={did} />
      <input type="hidden" name="intent" value={suspends ? "suspend" : "resume"} />
      <p className="text-muted">
        {suspends
          ? "Agents and its owner are refused with PROF002 until it is resumed. Nothing of it is changed."
          : "Every request for it is refused with PROF002. Nothing of it was changed."}
      </p>
      <SubmitButton look={suspends ? "danger" : "primary"}>
        {suspends ? "Suspend" : "Resume"}
      </SubmitButton>
    </Form>
  );
}

export function Delete({ did }: { did: string }) {
  return (
    <Form action={deleteAction}>
      <input type="hidden" name="did" value={did} />
      <p className="text-muted">
        What it holds and what was granted on it is erased at once and for good; of its log only the
        last hash stays. Nobody can take up its DID again. The logs of other profiles keep the DID
        where its keys were used.
      </p>
      <Field name="typed" label="Type its DID to be sure" autoComplete="off" spellCheck={false} />
      <SubmitButton look="danger">Delete for good</SubmitButton>
    </Form>
  );
}
