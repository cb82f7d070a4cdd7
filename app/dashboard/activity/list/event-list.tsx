import type { ActivityEvent } from "@/lib/services/activity/activity-event";
import { Empty } from "../../../_components/states/empty";
import { TextLink } from "../../../_components/text-link";
import { byDay } from "../../../_components/words/time";
import { activityParams } from "../params";
import { type EventFacts, EventRow } from "./event-row";

interface EventListProps {
  events: ActivityEvent[];
  facts: EventFacts;
  reader: { did: string; now: Date; zone: string };
  isFiltered: boolean;
}

/** Events under their days. */
export function EventList({ events, facts, reader, isFiltered }: EventListProps) {
  if (events.length === 0) return <Nothing did={reader.did} isFiltered={isFiltered} />;
  return byDay(events, { at: ({ at }) => at, ...reader }).map(({ heading, things }) => (
    <section key={heading} aria-label={heading}>
      <h2 className="mb-1.5 font-semibold">{heading}</h2>
      <ul className="divide-y divide-line box">
        {things.map((event) => (
          <li key={event.id}>
            <EventRow event={event} facts={facts} />
          </li>
        ))}
      </ul>
    </section>
  ));
}

function Nothing({ did, isFiltered }: { did: string; isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty title="Nothing here matches">
        <TextLink href={activityParams.path}>Show all</TextLink> instead.
      </Empty>
    );
  }
  return (
    <Empty title="Nothing has happened yet">
      Each time an agent reads, asks or proposes, it is written here. Give one your identifier to
      begin: <code className="font-mono text-small break-all text-ink">{did}</code>
    </Empty>
  );
}
