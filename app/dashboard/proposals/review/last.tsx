"use client";

import type { ReactNode } from "react";
import { Button } from "../../../_components/button";
import { ConfirmLink } from "../../../_components/forms/confirm";
import { Icon } from "../../../_components/icon";
import { Key } from "../../../_components/key";
import { InertText } from "../../../_components/shown/inert-text";
import { TakeBack } from "../../../_components/toasts/toasts";
import type { Deed } from "./use-decisions";
import type { InboxWork } from "./use-inbox";

interface LastLineProps {
  inbox: InboxWork;
  className: string;
  children?: ReactNode;
}

/** What was decided last and how to undo it, on no card and on a phone in one line or two; before that, its children. */
export function LastLine({ inbox, className, children }: LastLineProps) {
  const { last, failure, posted, undo, showRefused } = inbox;
  const isUndoable = failure === null && last !== undefined;
  const isQuiet = failure === null && last === undefined && posted.message === null;
  // What is too long for a phone is cut: of a failure the claim, after the reason.
  const cut = failure === null ? "max-rail:truncate" : "max-rail:line-clamp-2";
  const act = "px-2 max-rail:text-ink max-rail:underline";
  return (
    <div className={`flex min-w-0 items-center gap-2 text-small print:hidden ${className}`}>
      <div role="status" className={`min-w-0 flex-1 ${cut}`}>
        {failure !== null ? (
          <span className="text-danger">
            <Words deed={failure} reason={failure.message} />
          </span>
        ) : last !== undefined ? (
          // Elements of its own for each decision: the same ones with other words would count as moved.
          <Words key={last.ids.join()} deed={last} />
        ) : (
          posted.message
        )}
      </div>
      {isQuiet && children}
      {failure?.confirm === true && <ConfirmLink>Confirm</ConfirmLink>}
      {showRefused !== null && (
        <Button look="quiet" className={act} onClick={showRefused}>
          Show
        </Button>
      )}
      {isUndoable && (
        <Button
          look="quiet"
          className={act}
          aria-label={`Undo: ${last.did} ${last.claim}`}
          onClick={undo}
        >
          <Key>U</Key>
          Undo
        </Button>
      )}
      {last === undefined && posted.undo !== undefined && <TakeBack undo={posted.undo} />}
    </div>
  );
}

function Words({ deed: { did, claim }, reason }: { deed: Deed; reason?: string }) {
  return (
    <>
      <b className={`font-semibold ${reason === undefined ? "" : "max-rail:sr-only"}`}>
        <Icon
          icon={did.startsWith("Approved") ? "check" : "x"}
          className="mr-1.5 inline size-4 align-text-bottom"
        />
        {did}
        {reason !== undefined && "."}
      </b>{" "}
      {reason !== undefined && `${reason} `}
      <span className="rail:line-clamp-2">
        “<InertText text={claim} />”
      </span>
    </>
  );
}
