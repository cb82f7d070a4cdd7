"use client";

import { Field } from "../../_components/forms/field";
import { Form, useFormState } from "../../_components/forms/form";
import { inviteAction, type LinkShown } from "./actions";
import { LinkShownOnce } from "./link-shown";
import { RoleChoice } from "./role-choice";

/** A <details>: it opens before scripts do. */
export function Invite() {
  return (
    <details className="group rounded-box border border-line bg-surface shadow-raised">
      <summary className="flex min-h-12 list-none items-center px-4 font-medium sm:px-6">
        Invite somebody<span className="group-open:hidden">…</span>
      </summary>
      <div className="border-t border-line px-4 py-4 sm:px-6">
        <Form action={inviteAction} submit="Make a link">
          <Field
            name="email"
            label="E-mail address"
            type="email"
            maxLength={254}
            autoComplete="off"
          />
          <RoleChoice current="user" />
          <Shown />
        </Form>
      </div>
    </details>
  );
}

function Shown() {
  const { shown } = useFormState<LinkShown>();
  return shown === undefined ? null : <LinkShownOnce link={shown} what="the invitation" />;
}
