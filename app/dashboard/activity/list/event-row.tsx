import type { PolicyLine } from "@/lib/services/access/policy-lines";
import type { ActivityEvent } from "@/lib/services/activity/activity-event";
import { BrandMark } from "../../../_components/brand";
import { Icon } from "../../../_components/icon";
import { Identicon } from "../../../_components/shown/identicon";
import { Clock } from "../../../_components/shown/when";
import { type Happened, timesWords } from "../../overview/happened";
import { EventSentence } from "../sentence/event-sentence";
import { markOf } from "./mark";
import { Particulars } from "./particulars";

/** What is true of events now. */
export interface EventFacts {
  /** The policies that decided, by their ids. */
  policies: ReadonlyMap<string, PolicyLine>;
  /** The access requests that still wait for the owner, by their ids. */
  waiting: ReadonlySet<string>;
}

const grounds = {
  plain: "bg-sunken",
  refused: "bg-danger-soft text-danger",
  waits: "bg-signal text-on-signal",
};

/** One event as a sentence, with its details below, and those of the same before it. */
export function EventRow({ happened, facts }: { happened: Happened; facts: EventFacts }) {
  const { event, before } = happened;
  const { icon, tone } = markOf(event, facts.waiting);
  return (
    <details id={event.id}>
      <summary className="flex min-h-11 list-none items-start gap-3 px-3 py-2 hover:bg-sunken rail:items-center">
        <span
          className={`grid size-7 flex-none place-items-center rounded-control forced-colors:border ${grounds[tone]}`}
        >
          <Icon icon={icon} className="size-4" />
        </span>
        <Actor event={event} />
        <span className="min-w-0 flex-1 wrap-anywhere">
          <EventSentence event={event} />
        </span>
        <span className="text-right text-small leading-5.5 text-muted max-rail:w-min">
          <Clock at={event.at} />
          {timesWords(happened)}
        </span>
      </summary>
      {[event, ...before].map((one) => (
        <Particulars key={one.id} event={one} policies={facts.policies} />
      ))}
    </details>
  );
}

function Actor({ event: { actor, actorId, agent } }: { event: ActivityEvent }) {
  const isPerson = actor === "owner";
  return agent === null && !isPerson ? (
    <BrandMark className="size-6.5" />
  ) : (
    <Identicon did={actorId} className="size-6.5" />
  );
}
