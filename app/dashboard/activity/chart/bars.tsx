import { scaleBand, scaleLinear, scaleOrdinal } from "@visx/scale";
import { BarStack } from "@visx/shape";
import { counted } from "../../../_components/words/list";
import { Patterns, patternId, placeOf, placesMax } from "./patterns";
import { type DayRow, dayWord, type Measure, others, type Series } from "./series";

interface BarsProps {
  measure: Measure;
  rows: DayRow[];
  series: Series[];
}

const width = 720;
const height = 128;
const nouns: Record<Measure, string> = { reads: "read", proposals: "proposal" };
const titles: Record<Measure, string> = { reads: "Reads a day", proposals: "Proposals a day" };

/** Drawn on the server. The bars stretch with the page; their labels are text beside them, and do not. */
export function Bars({ measure, rows, series }: BarsProps) {
  const keys = series.map(({ key }) => key);
  const most = Math.max(1, ...rows.map((row) => sum(row, keys)));
  const x = scaleBand({ domain: rows.map(({ day }) => day), range: [0, width], padding: 0.2 });
  const y = scaleLinear({ domain: [0, most], range: [height, 0], nice: 2 });
  const ticks = y.ticks(2).filter(Number.isInteger);
  const fill = keys.map((key) => `url(#${patternId(measure, placeOf(keys, key, others))})`);
  const color = scaleOrdinal({ domain: keys, range: fill });
  const names = new Map(series.map(({ key, name }) => [key, name]));
  return (
    <figure>
      <figcaption className="font-medium">{titles[measure]}</figcaption>
      <div className="relative mt-3 ml-8 h-32">
        {ticks.map((tick) => (
          <div
            key={tick}
            aria-hidden="true"
            className="absolute inset-x-0 border-t border-line"
            style={{ top: `${((y(tick) ?? 0) / height) * 100}%` }}
          >
            <span className="absolute -top-2.5 right-full mr-2 text-xs text-muted tabular-nums">
              {tick.toLocaleString("en")}
            </span>
          </div>
        ))}
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full"
          role="img"
          aria-label={`${titles[measure]}: ${summary({ rows, keys, names, measure })}`}
        >
          <Patterns of={measure} count={placesMax} />
          <BarStack<DayRow, string>
            data={rows}
            keys={keys}
            x={({ day }) => day}
            xScale={x}
            yScale={y}
            color={color}
            value={(row, key) => Number(row[key] ?? 0)}
          >
            {(stacks) =>
              stacks.flatMap(({ key, bars }) =>
                bars
                  .filter((bar) => bar.height > 0)
                  .map((bar) => (
                    <rect
                      key={`${key} ${bar.index}`}
                      x={bar.x}
                      y={bar.y}
                      width={bar.width}
                      height={bar.height}
                      fill={bar.color}
                    >
                      <title>
                        {`${names.get(key)}, ${dayWord(bar.bar.data.day)}: ${counted(Number(bar.bar.data[key]), nouns[measure])}`}
                      </title>
                    </rect>
                  )),
              )
            }
          </BarStack>
        </svg>
      </div>
      <Days days={rows.map(({ day }) => day)} />
    </figure>
  );
}

function Days({ days }: { days: string[] }) {
  const shown = [...new Set([days[0], days[Math.floor(days.length / 2)], days.at(-1)])];
  return (
    <div aria-hidden="true" className="mt-1 ml-8 flex justify-between text-xs text-muted">
      {shown.map((day) => (
        <span key={day}>{day === undefined ? "" : dayWord(day)}</span>
      ))}
    </div>
  );
}

interface Summed {
  rows: DayRow[];
  keys: string[];
  names: ReadonlyMap<string, string>;
  measure: Measure;
}

// Describes the drawing for screen readers; the table below has every number.
function summary({ rows, keys, names, measure }: Summed): string {
  const totals = keys.map((key) => ({
    key,
    total: rows.reduce((all, row) => all + sum(row, [key]), 0),
  }));
  const nonEmpty = totals.filter(({ total }) => total > 0);
  if (nonEmpty.length === 0) return `no ${measure}`;
  return nonEmpty.map(({ key, total }) => `${names.get(key)} ${total}`).join(", ");
}

function sum(row: DayRow, keys: readonly string[]): number {
  return keys.reduce((all, key) => all + Number(row[key] ?? 0), 0);
}
