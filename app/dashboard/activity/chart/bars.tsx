import { counted } from "../../../_components/words/list";

/** One count for each day of a chart. */
export interface DaySeries {
  name: string;
  /** Singular and plural: "read" and "reads". */
  noun: readonly [one: string, many: string];
  look: keyof typeof looks;
  counts: readonly number[];
}

export interface DayChartProps {
  /** "Reads and proposals" */
  label: string;
  /** The days of the reader, oldest first: "2026-03-01". */
  days: readonly string[];
  series: readonly DaySeries[];
}

// Fill, outline and hatching differ without colours.
export const looks = {
  filled: "fill-chart-1 forced-colors:fill-[CanvasText]",
  outlined:
    "fill-transparent stroke-chart-2 stroke-[1.5px] forced-colors:fill-[Canvas] forced-colors:stroke-[CanvasText]",
  refused:
    "fill-danger-soft stroke-danger stroke-[1.5px] [stroke-dasharray:2_2] forced-colors:fill-[Canvas] forced-colors:stroke-[CanvasText]",
};

interface BarsProps extends DayChartProps {
  /** The count that fills the height; the highest one where it is left out. */
  most?: number;
  height?: string;
}

/** The bars alone; they stretch with the page. */
export function Bars({ label, days, series: all, height = "h-15", ...props }: BarsProps) {
  // What never happened takes no room.
  const series = all.filter(({ counts }) => sum(counts) > 0);
  const { most = Math.max(1, ...series.flatMap(({ counts }) => counts)) } = props;
  const slot = 100 / days.length;
  const width = (slot * 0.84) / series.length;
  return (
    <svg
      className={`block w-full overflow-visible border-b border-line ${height}`}
      role="img"
      aria-label={`${label}: ${summary(all)}`}
    >
      {days.map((day, place) =>
        series.map(({ name, noun, look, counts }, index) => {
          const count = counts[place] ?? 0;
          const percent = (100 * count) / most;
          return count === 0 ? null : (
            <rect
              key={`${day} ${name}`}
              x={`${place * slot + index * width}%`}
              y={`${100 - percent}%`}
              width={`${width * 0.9}%`}
              height={`${percent}%`}
              className={looks[look]}
            >
              <title>{`${dayWord(day)}: ${counted(count, ...noun)}`}</title>
            </rect>
          );
        }),
      )}
    </svg>
  );
}

/** The first and the last day, below the bars. */
export function Axis({ days }: { days: readonly string[] }) {
  return (
    <p aria-hidden="true" className="mt-1 flex justify-between text-small text-muted">
      <span>{dayWord(days[0])}</span>
      <span>{dayWord(days.at(-1))}</span>
    </p>
  );
}

function summary(series: readonly DaySeries[]): string {
  return series.map(({ noun, counts }) => counted(sum(counts), ...noun)).join(", ");
}

export function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}

const dayWords = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/** "1 Mar" for "2026-03-01". */
export function dayWord(day = ""): string {
  return day === "" ? "" : dayWords.format(new Date(day));
}
