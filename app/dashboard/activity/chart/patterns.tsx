import type { ReactNode } from "react";

// Each series has a colour and a drawing of its own: one is enough to tell them apart.

const fills = [
  "fill-chart-1",
  "fill-chart-2",
  "fill-chart-3",
  "fill-chart-4",
  "fill-chart-5",
  "fill-chart-6",
  "fill-chart-others",
];

const drawings: ReactNode[] = [
  null,
  <path key="rising" d="M0 8 8 0M-2 2 2-2M6 10l4-4" strokeWidth="2" />,
  <path key="lying" d="M0 4h8" strokeWidth="3" />,
  <path key="dots" d="M2 2h2v2H2zM6 6h2v2H6z" strokeWidth="1" />,
  <path key="standing" d="M4 0v8" strokeWidth="3" />,
  <path key="falling" d="M0 0l8 8M-2 6l4 4M6-2l4 4" strokeWidth="2" />,
  <path key="grid" d="M0 4h8M4 0v8" strokeWidth="1.5" />,
];

interface PatternsProps {
  /** Makes the names one chart's own. */
  of: string;
  count: number;
}

export function Patterns({ of, count }: PatternsProps) {
  return (
    <defs>
      {Array.from({ length: count }, (_none, place) => place).map((place) => (
        <pattern
          key={place}
          id={patternId(of, place)}
          width="8"
          height="8"
          patternUnits="userSpaceOnUse"
        >
          <rect width="8" height="8" className={fills[place]} />
          <g className="stroke-surface" fill="none">
            {drawings[place]}
          </g>
        </pattern>
      ))}
    </defs>
  );
}

export function patternId(of: string, place: number): string {
  return `pattern-${of}-${place}`;
}

/** The place of a series among the drawings; the others always have the last. */
export function placeOf(keys: readonly string[], key: string, others: string): number {
  return key === others ? drawings.length - 1 : keys.indexOf(key);
}

export const placesMax = drawings.length;
