"use client";

import { useDeferredValue } from "react";
import { Refresh } from "../../../_components/refresh";
import { Card } from "./card/card";
import { useKeys } from "./keys/keys";
import { Queue } from "./queue";
import { StageTop } from "./stage-top";
import { type InboxProps, type InboxWork, useInbox } from "./use-inbox";

/** The queue, and one card that stands still. */
export function Inbox(props: InboxProps) {
  const inbox = useInbox(props);
  // The next card is there before the list is drawn again.
  const listed = useDeferredValue(inbox);
  const { keysOn, stage } = inbox;
  useKeys(
    {
      j: inbox.next,
      k: inbox.back,
      u: inbox.undo,
      "?": () => document.getElementById("key-help")?.togglePopover(),
      ...stage.acts,
    },
    keysOn,
  );
  return (
    <div
      data-full
      data-keys={keysOn ? "on" : "off"}
      className="flex min-h-130 flex-1 flex-col rail:grid rail:grid-rows-[minmax(0,1fr)] rail:grid-cols-[248px_minmax(0,1fr)] full:grid-cols-[304px_minmax(0,1fr)]"
    >
      <h1 className="sr-only">Inbox</h1>
      <Queue inbox={listed} />
      <section
        ref={stage.ref}
        id="stage"
        tabIndex={-1}
        aria-label="One proposal"
        className="mx-auto flex min-h-0 w-full max-w-264 flex-1 flex-col outline-none focus-visible:shadow-none rail:px-7 rail:py-4.5"
      >
        <Stage inbox={inbox} />
      </section>
    </div>
  );
}

function Stage({ inbox }: { inbox: InboxWork }) {
  const { card, total, empty } = inbox;
  if (card !== undefined) {
    return (
      <>
        <StageTop inbox={inbox} card={card} />
        <Card key={card.id} inbox={inbox} card={card} />
      </>
    );
  }
  if (total === 0) return empty;
  return (
    <>
      <h2 tabIndex={-1} className="m-auto font-medium text-muted outline-none">
        The next ones are on their way.
      </h2>
      <Refresh />
    </>
  );
}
