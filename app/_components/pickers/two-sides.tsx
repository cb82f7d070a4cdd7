import type { ReactNode } from "react";
import { Button, ButtonLink } from "../button";
import { SubmitButton } from "../forms/form";

interface TwoSidesProps {
  /** What the agents get, behind the threshold. */
  theirs: ReactNode;
  submit: { intent: string; words: string; isShut?: boolean };
  /** Where nothing is done. */
  back: string;
  /** What the button says that shows the other side without scripts. */
  look: string;
  /** Beside the buttons. */
  note?: string;
  children: ReactNode;
}

/** A form beside what it does: on a phone one above the other, with the buttons last. */
export function TwoSides({ theirs, submit, back, look, note, children }: TwoSidesProps) {
  return (
    <div className="grid gap-y-6 rail:-mr-8 rail:min-h-[calc(100dvh-48px)] rail:grid-cols-[minmax(0,1fr)_minmax(280px,336px)] rail:grid-rows-[1fr_auto] rail:gap-x-8">
      <div className="min-w-0">{children}</div>
      <div className="-mx-4 border-t-4 border-wall bg-theirs p-4 rail:row-span-2 rail:mx-0 rail:-mb-6 rail:border-t-0 rail:border-l-4 rail:p-6 rail:[form:first-child_&]:-mt-6">
        <div className="rail:sticky rail:top-6">{theirs}</div>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton
          name="intent"
          value={submit.intent}
          {...(submit.isShut === true && { "aria-disabled": true })}
        >
          {submit.words}
        </SubmitButton>
        <ButtonLink href={back} look="secondary">
          Back
        </ButtonLink>
        <noscript>
          <Button type="submit" look="secondary" name="intent" value="preview">
            {look}
          </Button>
        </noscript>
        {note !== undefined && <span className="text-small text-muted">{note}</span>}
      </div>
    </div>
  );
}
