import type { ReactNode } from "react";
import { Button, ButtonLink } from "../button";
import { SubmitButton } from "../forms/form";

interface TwoSidesProps {
  /** What the agents get, behind the threshold. */
  theirs: ReactNode;
  /** `isShut` where it would be refused; `isIncomplete` while something is to be chosen: then it is no main button. */
  submit: { intent: string; words: string; isShut?: boolean; isIncomplete?: boolean };
  /** Where nothing is done. */
  back: string;
  /** What the button says that shows the other side without scripts. */
  look: string;
  /** Beside the buttons; while something is to be chosen with scripts only, as it would not go. */
  note?: string;
  children: ReactNode;
}

/** A form beside what it does: on a phone one above the other, with the buttons last. */
export function TwoSides({ theirs, submit, back, look, note, children }: TwoSidesProps) {
  return (
    <div className="-mb-24 grid min-h-[calc(100dvh-69px)] grid-rows-[auto_1fr] gap-y-6 rail:-mr-8 rail:-mb-6 rail:min-h-[calc(100dvh-24px)] rail:grid-rows-[auto] rail:grid-cols-[minmax(0,1fr)_minmax(280px,336px)] rail:gap-x-8">
      <div className="col-start-1 row-start-1 min-w-0 rail:pb-24">{children}</div>
      <div className="col-start-1 row-start-2 -mx-4 border-t-4 border-wall bg-theirs p-4 pb-24 rail:col-start-2 rail:row-start-1 rail:mx-0 rail:border-t-0 rail:border-l-4 rail:p-6 rail:[form:first-child_&]:-mt-6">
        <div className="rail:sticky rail:top-6">{theirs}</div>
      </div>
      <div
        data-acts
        className="sticky bottom-0 z-5 col-start-1 row-start-1 row-end-3 -mx-4 flex flex-wrap items-center gap-3 self-end border-t border-line bg-canvas px-4 pt-2.5 pb-[calc(10px+env(safe-area-inset-bottom))] rail:row-end-2 rail:mx-0 rail:border-t-0 rail:px-0 rail:py-4 print:hidden"
      >
        <SubmitButton
          name="intent"
          value={submit.intent}
          look={submit.isIncomplete === true ? "secondary" : "primary"}
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
        {note !== undefined && (
          <span
            className={`text-small text-muted max-rail:hidden ${submit.isIncomplete === true ? "noscript:hidden" : ""}`}
          >
            {note}
          </span>
        )}
      </div>
    </div>
  );
}
