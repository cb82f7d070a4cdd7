"use client";

import type { ReactNode } from "react";
import { OfProfile } from "../../../_components/forms/scope";

/** Where a card's form goes. */
export interface Sending {
  /** The form's own action, without scripts. */
  dispatch: (form: FormData) => void;
  /** The action with scripts, which blocks nothing else on the page. */
  decide: (form: FormData) => void;
}

interface VerdictProps extends Sending {
  id: string;
  intent: "approve" | "edit" | "reject" | "replace";
  children: ReactNode;
}

/** One form per verdict, so that Enter in a field always means this one. */
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
