"use client";

import { Icon } from "../../../_components/icon";
import { Key } from "../../../_components/key";
import { When } from "../../../_components/shown/when";
import type { InboxCard } from "./card/card-data";
import { KeyHelp } from "./keys/key-help";
import { LastLine } from "./last";
import type { InboxWork } from "./use-inbox";

/** Where in the queue the card is, how old it is, and what the keys do. */
export function StageTop({ inbox, card }: { inbox: InboxWork; card: InboxCard }) {
  const { place, total, known, keysOn, isTakenBack } = inbox;
  const { now } = known;
  const all = total.toLocaleString("en");
  const position = isTakenBack ? `Taken back, ${all} left` : `${place + 1} of ${all}`;
  return (
    <div className="flex h-11 flex-none items-center gap-2 px-3.5 text-small text-muted rail:mb-2.5 rail:h-8 rail:px-0">
      <b className="font-semibold text-ink max-rail:hidden">{position}</b>
      <button
        type="button"
        popoverTarget="queue"
        className="-ml-1.5 inline-flex min-h-11 flex-none items-center gap-1 px-1.5 font-semibold text-ink tabular-nums rail:hidden"
      >
        {position}
        <Icon icon="caret-down-bold" className="size-4" />
        <span className="sr-only">Show the queue</span>
      </button>
      <span className="max-rail:hidden">
        · <When at={card.proposedAt} now={now} />
        {!isTakenBack && (
          <>
            {" "}
            · expires <When at={card.expiresAt} now={now} />
          </>
        )}
      </span>
      <LastLine inbox={inbox} className="h-11 flex-1 text-ink rail:hidden">
        {!isTakenBack && (
          <span className="whitespace-nowrap text-muted">
            expires <When at={card.expiresAt} now={now} />
          </span>
        )}
      </LastLine>
      <span className="ml-auto flex items-center gap-1 max-rail:hidden noscript:hidden print:hidden">
        {keysOn && (
          <span className="mr-2.5 inline-flex items-center gap-1 max-full:hidden">
            <Key>J</Key>
            <Key>K</Key>
            next, back
            <Key className="ml-2.5">U</Key>
            undo
          </span>
        )}
        <KeyHelp isOn={keysOn} />
      </span>
    </div>
  );
}
