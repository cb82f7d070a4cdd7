import type { ActivityEvent } from "@/lib/services/activity/activity-event";
import { byDay, type ReaderClock } from "../../_components/words/time";
import { sentenceText } from "../activity/sentence/sentence";

/** An event, and those directly before it that read the same. */
export interface Happened {
  event: ActivityEvent;
  before: ActivityEvent[];
}

/** Folds events of one day that read the same and follow each other; at most `max` lines, under their days. */
export function happenedByDay(
  events: readonly ActivityEvent[],
  { max = events.length, ...clock }: ReaderClock & { max?: number },
): { heading: string; things: Happened[] }[] {
  const days = byDay(events, { at: ({ at }) => at, ...clock });
  const lines = days.flatMap(({ things }) => folded(things)).slice(0, max);
  return byDay(lines, { at: ({ event }) => event.at, ...clock });
}

// What each of several was about is left out.
function folded(events: readonly ActivityEvent[]): Happened[] {
  const lines: (Happened & { text: string })[] = [];
  for (const event of events) {
    const general = { ...event, subjectText: undefined };
    const text = `${event.actorId} ${sentenceText(general)}`;
    const last = lines.at(-1);
    if (last?.text !== text) lines.push({ event, before: [], text });
    else {
      last.event = { ...last.event, subjectText: undefined };
      last.before.push(event);
    }
  }
  return lines.map(({ event, before }) => ({ event, before }));
}

/** ", twice", ", 3 times", which no line break parts; nothing for once. */
export function timesWords({ before }: Pick<Happened, "before">): string {
  const times = before.length + 1;
  if (times === 1) return "";
  return times === 2 ? ", twice" : `, ${times.toLocaleString("en")}\u00a0times`;
}
