import type { ActivityEvent } from "@/lib/services/activity/activity-event";
import { sentenceText } from "../activity/sentence/sentence";

/** An event, and those before it in a row that were the same. */
export interface Happened {
  event: ActivityEvent;
  before: ActivityEvent[];
}

/** Folds events that read the same and follow each other into their newest; what each was about goes then. */
export function happened(events: readonly ActivityEvent[], max = events.length): Happened[] {
  const folded: (Happened & { text: string })[] = [];
  for (const one of events) {
    const event = { ...one, subjectText: undefined };
    const text = `${one.actorId} ${sentenceText(event)}`;
    const last = folded.at(-1);
    if (last?.text !== text) folded.push({ event: one, before: [], text });
    else {
      last.event = { ...last.event, subjectText: undefined };
      last.before.push(one);
    }
  }
  return folded.slice(0, max).map(({ event, before }) => ({ event, before }));
}

/** ", twice", ", 3 times"; nothing for once. */
export function timesWords({ before }: Pick<Happened, "before">): string {
  const times = before.length + 1;
  if (times === 1) return "";
  return times === 2 ? ", twice" : `, ${times.toLocaleString("en")} times`;
}
