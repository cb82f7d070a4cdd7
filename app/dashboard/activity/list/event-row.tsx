import type { ActivityEvent } from "@/lib/services/activity/activity-event";
import type { PolicyLine } from "@/lib/services/overview";
import { When } from "../../../_components/shown/when";
import { EventSentence } from "../sentence/event-sentence";
import { Particulars } from "./particulars";

interface EventRowProps {
  event: ActivityEvent;
  policies: ReadonlyMap<string, PolicyLine>;
  now: Date;
}

/** One event as a sentence, with its details below. */
export function EventRow({ event, policies, now }: EventRowProps) {
  return (
    <details className="group px-4 sm:px-6" id={event.id}>
      <summary className="-mx-2 flex list-none flex-wrap items-baseline gap-x-4 gap-y-0.5 rounded-box px-2 py-3 hover:bg-sunken">
        <span className="min-w-0 flex-1 basis-64 wrap-anywhere">
          <Mark event={event} />
          <EventSentence event={event} />
        </span>
        <span className="flex items-baseline gap-2 text-xs text-muted">
          <When at={event.at} now={now} />
          <svg
            viewBox="0 0 12 12"
            className="size-3 self-center group-open:rotate-180"
            aria-hidden="true"
          >
            <path d="m2 4 4 4 4-4" fill="none" stroke="currentColor" strokeWidth="1.5" />
          </svg>
        </span>
      </summary>
      <Particulars event={event} policies={policies} />
    </details>
  );
}

// For the eye that runs down the list; the sentence says the same.
function Mark({ event: { outcome, verb, subjectId } }: { event: ActivityEvent }) {
  if (outcome === "ok") return null;
  const isAsking = verb === "requestAccess" && subjectId !== null;
  const look = isAsking ? "border-accent/50 text-accent" : "border-danger/50 text-danger";
  return (
    <span
      aria-hidden="true"
      className={`mr-2 inline-block rounded-box border px-1.5 text-xs font-medium ${look}`}
    >
      {isAsking ? "Asks you" : "Refused"}
    </span>
  );
}
