import type { ActivityEvent } from "@/lib/services/activity/activity-event";
import { Empty } from "../../../_components/states/empty";
import { TextLink } from "../../../_components/text-link";
import { dayWords } from "../../../_components/words/time";
import { happenedByDay } from "../../overview/happened";
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
  return happenedByDay(events, reader).map(({ heading, things }) => (
    <section key={heading} aria-label={heading}>
      <h2 className="mb-1.5 font-semibold">
        {heading}
        <DateOf heading={heading} date={dayWords(things[0]?.event.at ?? reader.now, reader.zone)} />
      </h2>
      <ul className="divide-y divide-line box">
        {things.map((one) => (
          <li key={one.event.id}>
            <EventRow happened={one} facts={facts} />
          </li>
        ))}
      </ul>
    </section>
  ));
}

// "Today" and "Yesterday" do not say it.
function DateOf({ heading, date }: { heading: string; date: string }) {
  if (heading.includes(date)) return null;
  return <span className="font-normal text-muted">, {date}</span>;
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
