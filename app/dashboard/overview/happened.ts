import type { ActivityEvent } from "@/lib/services/activity/activity-event";
import { sentenceText } from "../activity/sentence/sentence";

/** An event, and those before it that were the same. */
export interface Happened {
  event: ActivityEvent;
  before: ActivityEvent[];
}

// Others of agents may lie between two of an agent, but no act of the owner: access may differ before and after it.
/** Folds events that read the same into their newest; what each was about goes then. */
export function happened(events: readonly ActivityEvent[], max = events.length): Happened[] {
  const folded: (Happened & { text: string })[] = [];
  for (const one of events) {
    const event = { ...one, subjectText: undefined };
    const text = `${one.actorId} ${sentenceText(event)}`;
    const since = folded.findLastIndex((other) => other.event.agent === null) + 1;
    const same = folded.slice(one.agent === null ? -1 : since).find((other) => other.text === text);
    if (same === undefined) folded.push({ event: one, before: [], text });
    else {
      same.event = { ...same.event, subjectText: undefined };
      same.before.push(one);
    }
  }
  return folded.slice(0, max).map(({ event, before }) => ({ event, before }));
}

/** ", twice", ", 3 times", which no line break parts; nothing for once. */
export function timesWords({ before }: Pick<Happened, "before">): string {
  const times = before.length + 1;
  if (times === 1) return "";
  return times === 2 ? ", twice" : `, ${times.toLocaleString("en")}\u00a0times`;
}
