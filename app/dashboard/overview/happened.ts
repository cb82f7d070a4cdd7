import type { ActivityEvent } from "@/lib/services/activity/activity-event";
import { sentenceText } from "../activity/sentence/sentence";

/** An event, and how often the same happened in a row. */
export interface Happened {
  event: ActivityEvent;
  times: number;
}

/** Folds events that read the same and follow each other into their newest. */
export function happened(events: readonly ActivityEvent[], max: number): Happened[] {
  const folded: (Happened & { text: string })[] = [];
  for (const event of events) {
    const text = `${event.actorId} ${sentenceText(event)}`;
    const last = folded.at(-1);
    if (last?.text === text) last.times += 1;
    else folded.push({ event, times: 1, text });
  }
  return folded.slice(0, max).map(({ event, times }) => ({ event, times }));
}

/** "twice", "3 times"; nothing for once. */
export function timesWords(times: number): string {
  if (times === 1) return "";
  return times === 2 ? ", twice" : `, ${times.toLocaleString("en")} times`;
}
