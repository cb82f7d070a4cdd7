"use client";

import { Form, SubmitButton } from "../../../_components/forms/form";
import { restoreAction } from "../actions";

interface RestoreFormProps {
  revisionId: string;
  seen: string;
}

export function RestoreForm({ revisionId, seen }: RestoreFormProps) {
  return (
    <Form action={restoreAction} className="flex">
      <input type="hidden" name="revisionId" value={revisionId} />
      <input type="hidden" name="seen" value={seen} />
      <SubmitButton look="secondary">Restore what was before</SubmitButton>
    </Form>
  );
}
