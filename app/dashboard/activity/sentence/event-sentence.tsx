import type { ActivityEvent } from "@/lib/services/activity/activity-event";
import { Icon } from "../../../_components/icon";
import { agentLabel, type NamedAgent } from "../../../_components/shown/agent-name";
import { InertText } from "../../../_components/shown/inert-text";
import type { SentencePart } from "./parts";
import { sentenceOf } from "./sentence";

/** Shows an event as a sentence. */
export function EventSentence({ event }: { event: ActivityEvent }) {
  const [actor = "", ...rest] = sentenceOf(event);
  return (
    <>
      <span className="font-semibold">
        <Parts parts={[actor]} />
      </span>
      <Parts parts={rest} />
    </>
  );
}

/** Shows parts of a sentence; what an agent wrote is inert. */
export function Parts({ parts }: { parts: readonly SentencePart[] }) {
  return parts.map((part, place) => {
    if (typeof part === "string") return part;
    const key = `${place}`;
    if ("agent" in part) return <Named key={key} agent={part.agent} />;
    return (
      <span key={key}>
        “<InertText text={part.quoted} />”
      </span>
    );
  });
}

/** Marks a verified agent only: a list of events would repeat of every other that it is not. */
function Named({ agent }: { agent: NamedAgent }) {
  return (
    // One box: the mark never stands on a line of its own.
    <span className="inline-flex max-w-full font-semibold" title={agent.did}>
      <span>
        <InertText text={agentLabel(agent)} />
      </span>
      {agent.verified && (
        <>
          <Icon icon="seal-check-fill" className="ml-1 size-4 flex-none self-center text-open" />
          <span className="sr-only"> Verified</span>
        </>
      )}
    </span>
  );
}
