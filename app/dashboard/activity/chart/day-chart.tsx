import { counted } from "../../../_components/words/list";
import { Axis, Bars, type DayChartProps, looks, sum } from "./bars";
import { Numbers } from "./numbers";

/** What happened by day: as bars, in sums, and as a table with the same numbers. */
export function DayChart({ label, days, series }: DayChartProps) {
  return (
    <div className="w-full">
      <Bars label={label} days={days} series={series} />
      <Axis days={days} />
      <ul className="mt-2 text-small">
        {series.map(({ name, noun, look, counts }) => (
          <li key={name} className="flex items-center gap-2 tabular-nums">
            <svg className="size-3 shrink-0 overflow-visible" aria-hidden="true">
              <rect width="100%" height="100%" className={looks[look]} />
            </svg>
            {counted(sum(counts), ...noun)}
          </li>
        ))}
      </ul>
      <p className="mt-1 text-small text-muted">A read that found nothing counts too.</p>
      <Numbers label={label} days={days} series={series} />
    </div>
  );
}
