import type { ActivityEvent } from "@/lib/services/activity/activity-event";
import type { NamedAgent } from "../../../_components/shown/agent-name";
import { purposeWord } from "../../../_components/words/purpose";

/** Words of ours, an agent, or words that an agent wrote. */
export type SentencePart = string | { agent: NamedAgent } | { quoted: string };

/** What the sentence of an event is made of. */
export type EventFacts = Omit<ActivityEvent, "id" | "at" | "requestId">;

/** How a verb reads: "Iris <done>" or "Iris tried to <tried>". */
export interface VerbWords {
  done: (event: EventFacts) => SentencePart[];
  tried: (event: EventFacts) => string;
}

/** A verb that reads the same for every event. */
export function always(done: string, tried: string): VerbWords {
  return { done: () => [done], tried: () => tried };
}

/** " for analysis"; a purpose that the protocol has no word for is quoted, as the agent's own. */
export function purposeOf({ purposeType }: Pick<ActivityEvent, "purposeType">): SentencePart[] {
  if (purposeType === null) return [];
  const { text, recognised } = purposeWord(purposeType);
  return recognised
    ? [` for ${text.toLowerCase()}`]
    : [", in its words for ", { quoted: purposeType }];
}
