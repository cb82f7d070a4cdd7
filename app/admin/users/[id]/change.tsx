"use client";

import { Field } from "../../../_components/forms/field";
import { Form, SubmitButton, useFormState } from "../../../_components/forms/form";
import { NewProfileFields } from "../../../dashboard/settings/profiles/new-profile-fields";
import { createAction } from "../../profiles/actions";
import { deleteAction, type LinkShown, resetAction, roleAction, stateAction } from "../actions";
import { LinkShownOnce } from "../link-shown";
import { RoleChoice } from "../role-choice";

interface UserRoleProps {
  userId: string;
  role: "user" | "admin";
  isSelf: boolean;
}

export function UserRole({ userId, role, isSelf }: UserRoleProps) {
  return (
    <Form action={roleAction} submit="Change role">
      <input type="hidden" name="userId" value={userId} />
      {isSelf && (
        <p className="text-muted">
          This is you. As a user you leave the admin pages at once; another admin has to bring you
          back.
        </p>
      )}
      {role === "admin" && (
        <p className="text-muted">
          As a user they lose the keys that they added to agents. Those keys stay revoked. Agents
          that they registered are suspended until another admin resumes them.
        </p>
      )}
      <RoleChoice key={role} current={role} />
    </Form>
  );
}

export function ResetLink({ userId }: { userId: string }) {
  return (
    <Form action={resetAction} submit="Make a reset link">
      <input type="hidden" name="userId" value={userId} />
      <p className="text-muted">
        A link to choose a new password, good for an hour. Using it ends all their sessions. The
        user sees on every page that you made it, and reads it in the activity of their profiles.
      </p>
      <Shown />
    </Form>
  );
}

function Shown() {
  const { shown } = useFormState<LinkShown>();
  return shown === undefined ? null : <LinkShownOnce link={shown} what="the reset link" />;
}

export function StateSwitch({ userId, state }: { userId: string; state: "active" | "suspended" }) {
  const suspends = state === "active";
  return (
    <Form action={stateAction}>
      <input type="hidden" name="userId" value={userId} />
      <input type="hidden" name="intent" value={suspends ? "suspend" : "resume"} />
      <p className="text-muted">
        {suspends
          ? "Every session of theirs ends at once, and they cannot sign in. Agents that they registered are suspended too. Their profiles stay as they are, and what they granted goes on."
          : "They cannot sign in. Nothing of theirs was changed."}
      </p>
      <SubmitButton look={suspends ? "danger" : "primary"}>
        {suspends ? "Suspend" : "Resume"}
      </SubmitButton>
    </Form>
  );
}

export function Delete({ userId }: { userId: string }) {
  return (
    <Form action={deleteAction}>
      <input type="hidden" name="userId" value={userId} />
      <p className="text-muted">
        The account, its sessions and every profile of theirs are erased at once and for good: what
        they hold, what was granted on them, and of their logs all but the last hash. Nobody can
        take up their DIDs again. The logs of other profiles keep the DIDs whose keys were used
        there. What they could not export before is lost.
      </p>
      <Field
        name="typed"
        label="Type their e-mail address to be sure"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <SubmitButton look="danger">Delete for good</SubmitButton>
    </Form>
  );
}

export function MakeProfile({ userId, namespace }: { userId: string; namespace: string }) {
  return (
    <details className="group mt-4">
      <summary className="w-fit text-accent underline underline-offset-4">
        Make a profile for them
      </summary>
      <Form action={createAction} submit="Make profile" className="mt-4 flex flex-col gap-5">
        <input type="hidden" name="userId" value={userId} />
        <NewProfileFields namespace={namespace} />
      </Form>
    </details>
  );
}
