import { type DayChartProps, dayWord } from "./bars";

/** The numbers of a chart as a table, the newest day first. Days without anything are left out. */
export function Numbers({ label, days, series }: DayChartProps) {
  const rows = days
    .map((day, place) => ({ day, counts: series.map(({ counts }) => counts[place] ?? 0) }))
    .filter(({ counts }) => counts.some((count) => count > 0))
    .reverse();
  if (rows.length === 0) return null;
  return (
    <details className="mt-2">
      <summary className="inline-flex min-h-6 list-none items-center link text-small">
        The numbers as a table
      </summary>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={`${label} by day`}
        className="mt-2 max-h-80 overflow-auto rounded-control border border-line"
      >
        <table className="w-full text-left text-small tabular-nums">
          <thead className="sticky top-0 bg-sunken">
            <tr>
              {["Day", ...series.map(({ name }) => name)].map((name) => (
                <th key={name} scope="col" className="px-2.5 py-1.5 font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rows.map(({ day, counts }) => (
              <tr key={day}>
                <td className="px-2.5 py-1 whitespace-nowrap">
                  <time dateTime={day}>{dayWord(day)}</time>
                </td>
                {series.map(({ name }, place) => (
                  <td key={name} className="px-2.5 py-1">
                    {counts[place]?.toLocaleString("en")}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
