import Link from "next/link";
import type { ActivityEvent } from "@/lib/services/activity/activity-event";
import { BrandMark } from "../../_components/brand";
import { Identicon } from "../../_components/shown/identicon";
import { Clock, When } from "../../_components/shown/when";
import type { ReaderClock } from "../../_components/words/time";
import { EventSentence } from "../activity/sentence/event-sentence";
import { type Happened, happenedByDay, timesWords } from "./happened";

interface WhatHappenedProps {
  /** When the last visit ended; null for the first. */
  since: Date | null;
  events: readonly ActivityEvent[];
  clock: ReaderClock;
}

const shownMax = 8;

/** What agents and the owner did since the last visit, by day. */
export function WhatHappened({ since, events, clock }: WhatHappenedProps) {
  const days = happenedByDay(events, { ...clock, max: shownMax });
  return (
    <section
      aria-labelledby="happened"
      className="min-w-0 full:min-h-[calc(100dvh-3rem)] full:border-l full:border-line full:pl-5"
    >
      <h2 id="happened" className="text-lead font-semibold">
        What happened?
      </h2>
      <p className="text-small text-muted">
        {since === null ? (
          "In the last 7 days"
        ) : (
          <>
            Since you were here <When at={since} now={clock.now} />
          </>
        )}
      </p>
      {days.length === 0 && <p className="mt-3">Nothing: no agent was here.</p>}
      {days.map(({ heading, things }) => (
        <div key={heading} className="mt-3">
          <h3 className="pb-1 text-small font-semibold text-muted">{heading}</h3>
          <ul className="divide-y divide-line border-t border-line text-small">
            {things.map((one) => (
              <Line key={one.event.id} one={one} />
            ))}
          </ul>
        </div>
      ))}
      <Link href="/dashboard/activity" className="mt-3 inline-flex min-h-6 items-center link">
        All activity
      </Link>
    </section>
  );
}

function Line({ one }: { one: Happened }) {
  const { event } = one;
  const isPerson = event.actor === "owner";
  return (
    <li className="flex gap-3 py-2.5">
      {event.agent === null && !isPerson ? (
        <BrandMark className="size-6.5" />
      ) : (
        <Identicon did={event.actorId} className="size-6.5" />
      )}
      <p className="min-w-0 flex-1 wrap-anywhere">
        <EventSentence event={event} />
        <span className="block text-muted">
          <Clock at={event.at} />
          {timesWords(one)}
        </span>
      </p>
    </li>
  );
}
