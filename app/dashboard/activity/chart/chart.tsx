import type { DayCount } from "@/lib/services/activity/count-by-day";
import { Card } from "../../../_components/card";
import { Bars } from "./bars";
import { Patterns, patternId, placeOf, placesMax } from "./patterns";
import { daysBetween, dayWord, others, rowsOf, type Series, seriesOf } from "./series";

interface ChartProps {
  counts: DayCount[];
  from: Date;
  to: Date;
  /** Whether these are what was refused. */
  refused: boolean;
}

/** How much agents read and propose, by day: as a drawing, and as the same numbers. */
export function Chart({ counts, from, to, refused }: ChartProps) {
  const days = daysBetween(from, to);
  const series = seriesOf(counts);
  const title = refused ? "What agents tried and were refused" : "What agents read and proposed";
  const period = `${dayWord(days[0] ?? "")} to ${dayWord(days.at(-1) ?? "")}, days in UTC`;
  return (
    <Card title={title}>
      <p className="-mt-2 text-muted">{period}</p>
      {counts.length === 0 ? (
        <p className="mt-4 text-muted">Nothing in this time.</p>
      ) : (
        <>
          <Legend series={series} />
          <div className="mt-5 grid gap-8 lg:grid-cols-2">
            <Bars
              measure="reads"
              series={series}
              rows={rowsOf(counts, { days, measure: "reads" })}
            />
            <Bars
              measure="proposals"
              series={series}
              rows={rowsOf(counts, { days, measure: "proposals" })}
            />
          </div>
          <Numbers counts={counts} series={series} />
        </>
      )}
    </Card>
  );
}

function Legend({ series }: { series: Series[] }) {
  const keys = series.map(({ key }) => key);
  return (
    <ul className="mt-4 flex flex-wrap gap-x-5 gap-y-1">
      {series.map(({ key, name }) => (
        <li key={key} className="flex items-center gap-2">
          <svg viewBox="0 0 16 16" className="size-4 shrink-0" aria-hidden="true">
            <Patterns of={`legend-${keys.indexOf(key)}`} count={placesMax} />
            <rect
              width="16"
              height="16"
              fill={`url(#${patternId(`legend-${keys.indexOf(key)}`, placeOf(keys, key, others))})`}
            />
          </svg>
          <span className="wrap-anywhere">{name}</span>
        </li>
      ))}
    </ul>
  );
}

function Numbers({ counts, series }: { counts: DayCount[]; series: Series[] }) {
  const names = new Map(series.map(({ key, name }) => [key, name]));
  const rows = [...counts].sort((a, b) => (a.day < b.day ? 1 : -1));
  return (
    <details className="mt-5">
      <summary className="inline-flex min-h-10 items-center font-medium text-accent underline underline-offset-4">
        The numbers as a table
      </summary>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label="Reads and proposals by day and agent"
        className="mt-2 max-h-80 overflow-auto rounded-box border border-line"
      >
        <table className="w-full text-left tabular-nums">
          <thead className="sticky top-0 bg-sunken">
            <tr>
              {["Day", "Agent", "Reads", "Proposals"].map((head) => (
                <th key={head} scope="col" className="px-3 py-2 font-medium">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rows.map(({ day, agent, reads, proposals }) => (
              <tr key={`${day} ${agent?.did}`}>
                <td className="px-3 py-1.5 whitespace-nowrap">
                  <time dateTime={day}>{dayWord(day)}</time>
                </td>
                <td className="px-3 py-1.5">{names.get(agent?.did ?? others)}</td>
                <td className="px-3 py-1.5">{reads}</td>
                <td className="px-3 py-1.5">{proposals}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
