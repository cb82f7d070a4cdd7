"use client";

import type { ReactNode } from "react";
import { OfProfile } from "../../../_components/forms/scope";

/** Where a card's form goes. */
export interface Sending {
  /** Of the form before scripts run. */
  dispatch: (form: FormData) => void;
  /** The same with scripts: nothing else on the page waits for it. */
  decide: (form: FormData) => void;
}

interface VerdictProps extends Sending {
  id: string;
  intent: "approve" | "edit" | "reject" | "replace";
  children: ReactNode;
}

/** One form a verdict, so that Enter in a field never means another one. */
export function Verdict({ id, intent, dispatch, decide, children }: VerdictProps) {
  return (
    <form
      action={dispatch}
      data-verdict={intent}
      onSubmit={(event) => {
        event.preventDefault();
        decide(new FormData(event.currentTarget));
      }}
    >
      <OfProfile />
      <input type="hidden" name="proposalId" value={id} />
      <input type="hidden" name="intent" value={intent} />
      {children}
    </form>
  );
}
