import type { CategoryCount } from "@/lib/services/activity/counts/count-categories";
import { Icon } from "../../../_components/icon";
import { categoryIcon } from "../../../_components/shown/category-icon";
import { Axis, Bars, sum } from "./bars";
import { Numbers } from "./numbers";
import { seriesByCategory } from "./series";

interface CategoryChartProps {
  days: readonly string[];
  counts: readonly CategoryCount[];
}

/** What agents read, a row of bars for each category; one scale, so that rows can be compared. */
export function CategoryChart({ days, counts }: CategoryChartProps) {
  const rows = seriesByCategory(days, counts);
  const most = Math.max(1, ...rows.flatMap(({ series }) => series.counts));
  if (rows.length === 0) return <p className="text-muted">No agent read anything in this time.</p>;
  return (
    <div className="w-full">
      <p className="mb-2 text-small text-muted">Memories and values that agents read</p>
      <ul className="flex flex-col gap-2.5">
        {rows.map(({ category, series }) => (
          <li key={series.name} className="text-small">
            <p className="mb-0.5 flex items-center gap-2">
              <Icon icon={categoryIcon(category ?? "")} className="size-4" />
              <span className="min-w-0 flex-1 wrap-anywhere">{series.name}</span>
              <span className="tabular-nums">{sum(series.counts).toLocaleString("en")}</span>
            </p>
            <Bars label={series.name} days={days} series={[series]} most={most} height="h-6" />
          </li>
        ))}
      </ul>
      <Axis days={days} />
      <Numbers
        label="Memories and values that agents read"
        days={days}
        series={rows.map(({ series }) => series)}
      />
    </div>
  );
}
