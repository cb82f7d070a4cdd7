import type { DayCount } from "@/lib/services/activity/count-by-day";
import { agentLabel } from "../../../_components/shown/agent-name";
import { visibleText } from "../../../_components/words/inert";

export interface Series {
  key: string;
  name: string;
}

export type Measure = "reads" | "proposals";

/** One day with a count per series: `{day: "2026-03-01", "did:prof:…": 4}`. */
export type DayRow = { day: string } & Record<string, number | string>;

export const others = "others";
const dayMs = 24 * 60 * 60_000;

/** Whom the chart tells apart: who did most comes first, all the rest last. */
export function seriesOf(counts: readonly DayCount[]): Series[] {
  const names = new Map(
    counts.map(({ agent }) =>
      agent === null ? [others, "Others"] : [agent.did, visibleText(agentLabel(agent))],
    ),
  );
  return Array.from(names, ([key, name]) => ({ key, name }));
}

/** Every day of the period, those without anything too. */
export function rowsOf(
  counts: readonly DayCount[],
  { days, measure }: { days: readonly string[]; measure: Measure },
): DayRow[] {
  const rows = new Map(days.map((day) => [day, { day } as DayRow]));
  for (const { day, agent, [measure]: count } of counts) {
    const row = rows.get(day);
    if (row !== undefined) row[agent?.did ?? others] = count;
  }
  return [...rows.values()];
}

export function daysBetween(from: Date, to: Date): string[] {
  const first = Math.floor(from.getTime() / dayMs);
  const last = Math.floor((to.getTime() - 1) / dayMs);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_none, index) =>
    new Date((first + index) * dayMs).toISOString().slice(0, 10),
  );
}

const dayWords = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/** "1 Mar". */
export function dayWord(day: string): string {
  return dayWords.format(new Date(day));
}
