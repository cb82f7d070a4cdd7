"use client";

import { Button } from "../../../_components/button";
import { ConfirmLink } from "../../../_components/forms/confirm";
import { Icon } from "../../../_components/icon";
import { Key } from "../../../_components/key";
import { InertText } from "../../../_components/shown/inert-text";
import { When } from "../../../_components/shown/when";
import { TakeBack } from "../../../_components/toasts/toasts";
import type { InboxCard } from "./card/card-data";
import type { Deed } from "./use-decisions";
import type { InboxWork } from "./use-inbox";

/** What was decided last and how to undo it, at the foot of the queue, where it lies on no card. */
export function LastLine({ inbox }: { inbox: InboxWork }) {
  const { last, failure, posted, undo, showRefused } = inbox;
  return (
    <div className="flex min-h-13 flex-none items-center gap-2 border-t border-line pr-2 pl-4 text-small has-[[role=status]:empty]:border-transparent print:hidden">
      <p role="status" className="line-clamp-2 min-w-0 flex-1">
        {failure !== null ? (
          <span className="text-danger">
            <Words deed={failure} /> {failure.message}
          </span>
        ) : last !== undefined ? (
          <Words deed={last} />
        ) : (
          posted.message
        )}
      </p>
      {failure?.confirm === true && <ConfirmLink>Confirm</ConfirmLink>}
      {showRefused !== null && (
        <Button look="quiet" onClick={showRefused}>
          Show
        </Button>
      )}
      {failure === null && last !== undefined && (
        <Button look="quiet" className="px-2" onClick={undo}>
          <Key>U</Key>
          Undo
        </Button>
      )}
      {last === undefined && posted.undo !== undefined && <TakeBack undo={posted.undo} />}
    </div>
  );
}

/** The same in the one line that a phone has for it; without any, when the card expires. */
export function LastPhone({ inbox, card }: { inbox: InboxWork; card: InboxCard }) {
  const { last, failure, posted, undo, showRefused, known } = inbox;
  const act = "min-h-11 px-2 link font-medium text-ink";
  const deed = failure ?? last;
  return (
    <span className="ml-auto flex min-w-0 items-center gap-1 rail:hidden print:hidden">
      <span role="status" className="sr-only">
        {deed !== undefined && `${deed.did} ${deed.claim}`}
      </span>
      {showRefused !== null ? (
        <button type="button" className={act} onClick={showRefused}>
          {failure?.did}: show it
        </button>
      ) : last !== undefined ? (
        <button
          type="button"
          className={act}
          aria-label={`Undo: ${last.did} ${last.claim}`}
          onClick={undo}
        >
          Undo
        </button>
      ) : (
        posted.undo !== undefined && <TakeBack undo={posted.undo} />
      )}
      <span className="truncate">
        {failure?.message ??
          ((last === undefined && posted.message) || (
            <>
              expires <When at={card.expiresAt} now={known.now} />
            </>
          ))}
      </span>
    </span>
  );
}

function Words({ deed: { did, claim } }: { deed: Deed }) {
  return (
    <>
      <Icon
        icon={did.startsWith("Kept") ? "check" : "x"}
        className="mr-1.5 inline size-4 align-text-bottom"
      />
      {did} “<InertText text={claim} />”
    </>
  );
}
