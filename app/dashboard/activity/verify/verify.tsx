"use client";

import { useState } from "react";
import { Form, SubmitButton, useFormState } from "../../../_components/forms/form";
import { Icon } from "../../../_components/icon";
import { Notice } from "../../../_components/states/notice";
import { verifyAction } from "./actions";
import type { Verdict } from "./verdict";

/** Has the gateway hold every event against its seal. */
export function Verify() {
  return (
    <Form action={verifyAction} className="">
      <SubmitButton look="secondary">
        <Icon icon="shield-check" />
        Verify log
      </SubmitButton>
      <Found />
    </Form>
  );
}

// Over the list and not the filters; so nothing moves.
function Found() {
  const shown = useFormState().shown as Verdict | undefined;
  const [closed, setClosed] = useState<Verdict>();
  if (shown === undefined || shown === closed) return null;
  return (
    <div className="inset-x-0 top-full z-10 mt-2 flex items-start rounded-box bg-surface shadow-float scripting:absolute">
      <div className="min-w-0 flex-1">
        <Notice tone={shown.intact ? "info" : "danger"}>{shown.words}</Notice>
      </div>
      <button
        type="button"
        aria-label="Close this message"
        className="hidden size-11 items-center justify-center scripting:inline-flex"
        onClick={() => setClosed(shown)}
      >
        <Icon icon="x" className="size-4" />
      </button>
    </div>
  );
}
