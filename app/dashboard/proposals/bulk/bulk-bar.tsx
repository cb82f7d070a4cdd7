"use client";

import { type FormEvent, type ReactNode, useId, useRef } from "react";
import { Button } from "../../../_components/button";
import { OfProfile } from "../../../_components/forms/scope";
import { counted } from "../../../_components/words/list";
import { bulkForm } from "./pick";
import type { Picks } from "./picks";

interface BulkBarProps {
  picks: Picks;
  dispatch: (form: FormData) => void;
  decide: (form: FormData) => void;
  /** How many have come that are not shown yet. */
  late: number;
  showLate: () => void;
  /** Beside it while nothing is selected. */
  children: ReactNode;
}

/** Stays in sight above the cards; what it does appears in it once one of them is ticked. */
export function BulkBar({ picks, dispatch, decide, late, showLate, children }: BulkBarProps) {
  const rejection = useRef<HTMLDetailsElement>(null);
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { currentTarget, nativeEvent } = event;
    const submitter = nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null;
    decide(new FormData(currentTarget, submitter));
    if (rejection.current) rejection.current.open = false;
    currentTarget.reset();
  }
  return (
    <div
      role="toolbar"
      aria-label="Selected proposals"
      className="sticky top-0 z-10 -mx-2 flex min-h-14 items-center gap-3 bg-canvas px-2 py-2"
    >
      {/* Its controls name it, here and in the cards, because no form may stand in another. */}
      <form
        id={bulkForm}
        action={dispatch}
        onSubmit={send}
        onReset={() => setTimeout(picks.recount)}
        className="hidden"
      >
        <OfProfile />
        {/* The default: Enter in a checkbox or in the reason decides nothing. */}
        <button type="submit" disabled />
      </form>
      <label className="flex min-h-10 items-center gap-2 pr-2 noscript:hidden">
        <input
          type="checkbox"
          checked={picks.isAll}
          onChange={(event) => picks.pickAll(event.target.checked)}
          className="size-4 accent-accent"
        />
        <span className="max-sm:group-has-[[data-pick]:checked]/inbox:sr-only">Select all</span>
      </label>
      <div className="contents group-has-[[data-pick]:checked]/inbox:hidden">{children}</div>
      <div className="hidden flex-1 flex-wrap items-center gap-2 group-has-[[data-pick]:checked]/inbox:flex">
        <p role="status" className="mr-auto whitespace-nowrap">
          {picks.count === 0 ? "Selected:" : `${picks.count} selected`}
        </p>
        <Button type="submit" form={bulkForm} name="intent" value="approve">
          Approve
        </Button>
        <Rejection details={rejection} />
        <Button type="reset" form={bulkForm} look="quiet">
          Clear
        </Button>
      </div>
      {late > 0 && (
        <div className="absolute inset-x-0 top-full flex justify-center">
          <button
            type="button"
            onClick={showLate}
            className="min-h-10 rounded-box border border-accent bg-lifted px-4 font-medium text-accent shadow-raised hover:bg-sunken"
          >
            {counted(late, "new proposal")}, show
          </button>
        </div>
      )}
    </div>
  );
}

function Rejection({ details }: { details: React.RefObject<HTMLDetailsElement | null> }) {
  const id = useId();
  return (
    <details
      ref={details}
      className="relative"
      onKeyDown={(event) => {
        if (event.key === "Escape") event.currentTarget.open = false;
      }}
    >
      <summary className="inline-flex min-h-10 list-none items-center rounded-box border border-edge bg-surface px-4 font-medium hover:bg-sunken">
        Reject…
      </summary>
      <div className="absolute top-full right-0 z-10 mt-2 flex w-72 max-w-[80vw] flex-col gap-3 rounded-box border border-edge bg-lifted p-4 shadow-raised">
        <label htmlFor={id} className="font-medium">
          Why not{" "}
          <span className="font-normal text-muted">(optional; their agents can read it)</span>
        </label>
        <input
          id={id}
          form={bulkForm}
          name="reason"
          maxLength={500}
          autoComplete="off"
          className="min-h-10 w-full rounded-box border border-edge bg-surface px-3 text-base sm:text-sm"
        />
        <Button type="submit" form={bulkForm} look="danger" name="intent" value="reject">
          Reject the selected
        </Button>
      </div>
    </details>
  );
}
