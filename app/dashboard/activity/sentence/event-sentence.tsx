import type { ActivityEvent } from "@/lib/services/activity/activity-event";
import { AgentName } from "../../../_components/shown/agent-name";
import { sentenceOf } from "./sentence";

/** Shows an event as a sentence. */
export function EventSentence({ event }: { event: ActivityEvent }) {
  const keyed = sentenceOf(event).map((part, place) => ({ part, place }));
  return (
    <span>
      {keyed.map(({ part, place }) =>
        typeof part === "string" ? part : <AgentName key={place} agent={part.agent} />,
      )}
    </span>
  );
}
