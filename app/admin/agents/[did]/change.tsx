"use client";

import { type ReactNode, useId } from "react";
import type { LimitClass } from "@/lib/protocol/endpoints";
import { Field } from "../../../_components/forms/field";
import { Form, SubmitButton, useFormState } from "../../../_components/forms/form";
import {
  ceilingAction,
  deleteAction,
  limitsAction,
  reasonAction,
  standingAction,
} from "../actions";

interface StandingProps {
  did: string;
  state: "pending" | "active" | "suspended";
  verified: boolean;
}

export function Standing({ did, state, verified }: StandingProps) {
  return (
    <div className="flex flex-col gap-6">
      {state === "pending" && (
        <Turn did={did} intent="approve" button="Approve">
          Its requests are answered from then on; what it sees is for each owner to say.
        </Turn>
      )}
      {state === "suspended" && (
        <Turn did={did} intent="resume" button="Resume">
          Its requests are refused everywhere.
        </Turn>
      )}
      <Turn
        did={did}
        intent={verified ? "unverify" : "verify"}
        button={verified ? "Take the mark away" : "Mark as verified"}
      >
        {verified
          ? "Policies for verified agents hold for it, on every profile."
          : "Verified means that you know who runs it. Policies for verified agents then hold for it, on every profile."}
      </Turn>
      {state !== "suspended" && (
        <Stop did={did} intent={state === "pending" ? "refuse" : "suspend"} />
      )}
    </div>
  );
}

interface TurnProps {
  did: string;
  intent: "approve" | "resume" | "verify" | "unverify";
  button: string;
  children: ReactNode;
}

function Turn({ did, intent, button, children }: TurnProps) {
  return (
    <Form action={standingAction} className="flex flex-col gap-3">
      <input type="hidden" name="did" value={did} />
      <input type="hidden" name="intent" value={intent} />
      <p className="text-muted">{children}</p>
      <SubmitButton look={intent === "approve" ? "primary" : "secondary"}>{button}</SubmitButton>
    </Form>
  );
}

function Stop({ did, intent }: { did: string; intent: "refuse" | "suspend" }) {
  return (
    <Form action={reasonAction} className="flex flex-col gap-3">
      <input type="hidden" name="did" value={did} />
      <input type="hidden" name="intent" value={intent} />
      <Field
        name="reason"
        label={intent === "refuse" ? "Why it is refused" : "Why it is suspended"}
        hint="For the admins after you; it stands in the admin activity."
        maxLength={500}
        autoComplete="off"
      />
      <SubmitButton look="danger">
        {intent === "refuse" ? "Refuse" : "Suspend everywhere"}
      </SubmitButton>
    </Form>
  );
}

export function Ceiling({ did, ceiling }: { did: string; ceiling: string }) {
  return (
    <Form action={ceilingAction} submit="Set ceiling" className="mt-3 flex flex-col gap-3">
      <input type="hidden" name="did" value={did} />
      <CeilingField initial={ceiling} />
    </Form>
  );
}

function CeilingField({ initial }: { initial: string }) {
  const id = useId();
  const { issues, values } = useFormState();
  const issue = Object.entries(issues).find(([name]) => name.startsWith("ceiling"))?.[1];
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium">
        The most that any policy can give it
      </label>
      <textarea
        id={id}
        name="ceiling"
        key={values.ceiling ?? initial}
        defaultValue={values.ceiling ?? initial}
        rows={4}
        spellCheck={false}
        aria-invalid={issue !== undefined}
        aria-describedby={`${id}-hint`}
        className="w-full rounded-box border border-edge bg-surface px-3 py-2 font-mono text-base aria-invalid:border-danger sm:text-sm"
      />
      {issue !== undefined && <p className="text-danger">{issue}</p>}
      <p id={`${id}-hint`} className="text-xs text-muted">
        One scope a line. <code>prof:*</code> is no ceiling; an empty field lets it see nothing.
      </p>
    </div>
  );
}

const classWords = {
  profile: "Reading a profile",
  access: "Asking for access",
  memories: "Listing memories",
  propose: "Proposing",
  proposals: "Listing proposals",
  review: "Reviewing",
} satisfies Record<LimitClass, string>;

const classes = Object.entries(classWords) as [LimitClass, string][];

interface LimitsProps {
  did: string;
  limits: Partial<Record<LimitClass, number>>;
}

export function Limits({ did, limits }: LimitsProps) {
  return (
    <Form action={limitsAction} submit="Set limits">
      <input type="hidden" name="did" value={did} />
      <p className="text-muted">Requests an hour. An empty field means the gateway's own limit.</p>
      <div className="grid gap-4 sm:grid-cols-2">
        {classes.map(([name, label]) => (
          <Field
            key={name}
            name={name}
            label={label}
            inputMode="numeric"
            initial={limits[name]?.toString() ?? ""}
            autoComplete="off"
          />
        ))}
      </div>
    </Form>
  );
}

export function Delete({ did }: { did: string }) {
  return (
    <Form action={deleteAction}>
      <input type="hidden" name="did" value={did} />
      <p className="text-muted">
        The agent and its keys are gone for good, and nobody can ever register this DID again. What
        it proposed, and what came of it, stays with the owners.
      </p>
      <Field name="typed" label="Type its DID to be sure" autoComplete="off" spellCheck={false} />
      <SubmitButton look="danger">Delete for good</SubmitButton>
    </Form>
  );
}
