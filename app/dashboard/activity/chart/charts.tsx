import type { NamedAgent } from "@/lib/services/access/named-agent";
import type { DayCount } from "@/lib/services/activity/counts/count-by-day";
import type { CategoryCount } from "@/lib/services/activity/counts/count-categories";
import { Segments } from "../../../_components/lists/segments";
import { agentLabel } from "../../../_components/shown/agent-name";
import { Identicon } from "../../../_components/shown/identicon";
import { InertText } from "../../../_components/shown/inert-text";
import { type ActivityView, activityParams } from "../params";
import { dayWord } from "./bars";
import { CategoryChart } from "./category-chart";
import { DayChart } from "./day-chart";
import { seriesByKind } from "./series";

interface ChartsProps {
  view: ActivityView;
  days: readonly string[];
  counts: readonly DayCount[];
  categories: readonly CategoryCount[];
}

/** How much agents read and propose, beside the log. */
export function Charts({ view, days, counts, categories }: ChartsProps) {
  const href = (by: ActivityView["by"]) => activityParams.href({ ...view, by, before: undefined });
  return (
    <aside aria-label="Charts" className="flex flex-col gap-5">
      <section aria-labelledby="period">
        <h2 id="period" className="mb-1.5 font-semibold">
          {periodWords(view, days)}
        </h2>
        <div className="flex flex-col items-start gap-3 box p-4">
          <Segments
            label="What the chart tells apart"
            choices={[
              { href: href("day"), text: "By day", isCurrent: view.by === "day" },
              { href: href("category"), text: "By category", isCurrent: view.by === "category" },
            ]}
          />
          {counts.length === 0 ? (
            <p className="text-muted">Nothing in this time.</p>
          ) : view.by === "day" ? (
            <DayChart label="Reads and proposals" days={days} series={seriesByKind(days, counts)} />
          ) : (
            <CategoryChart days={days} counts={categories} />
          )}
        </div>
      </section>
      <Readers counts={counts} />
    </aside>
  );
}

function periodWords({ period }: ActivityView, days: readonly string[]): string {
  if (period === undefined) return "Last 14 days";
  return `${dayWord(days[0])} to ${dayWord(days.at(-1))}`;
}

function Readers({ counts }: Pick<ChartsProps, "counts">) {
  const readers = new Map<string, { agent: NamedAgent; reads: number }>();
  for (const { agent, reads } of counts) {
    if (agent === null || reads === 0) continue;
    const before = readers.get(agent.did)?.reads ?? 0;
    readers.set(agent.did, { agent, reads: before + reads });
  }
  if (readers.size === 0) return null;
  return (
    <section aria-labelledby="readers">
      <h2 id="readers" className="font-semibold">
        Who read most
      </h2>
      <ul className="divide-y divide-line">
        {Array.from(readers, ([did, { agent, reads }]) => (
          <li key={did} className="flex min-h-9 items-center gap-2.5 py-1.5">
            <Identicon did={did} />
            <span className="min-w-0 flex-1 wrap-anywhere">
              <InertText text={agentLabel(agent)} />
            </span>
            <span className="font-semibold tabular-nums">{reads.toLocaleString("en")}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
