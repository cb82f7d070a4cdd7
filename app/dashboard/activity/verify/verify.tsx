"use client";

import { Form, SubmitButton, useFormState } from "../../../_components/forms/form";
import { Notice } from "../../../_components/notice";
import { verifyAction } from "./actions";
import type { Verdict } from "./verdict";

/** Has the gateway hold every event against its seal. */
export function Verify() {
  return (
    <Form action={verifyAction} className="flex flex-col gap-3">
      <SubmitButton look="secondary">Verify log</SubmitButton>
      <Found />
    </Form>
  );
}

function Found() {
  const shown = useFormState().shown as Verdict | undefined;
  if (shown === undefined) return null;
  return <Notice tone={shown.intact ? "info" : "danger"}>{shown.words}</Notice>;
}
