import { Icon, type IconName } from "../../_components/icon";
import { counted } from "../../_components/words/list";
import { type Cell, cellKinds, partOf } from "./matrix";

type Look = { icon?: IconName; className: string; legend: string };

const looks: Record<Cell["kind"], Look> = {
  reads: {
    icon: "eye",
    className:
      "border-ink bg-ink text-on-ink forced-color-adjust-none forced-colors:border-[CanvasText] forced-colors:bg-[CanvasText] forced-colors:text-[Canvas]",
    legend: "can read",
  },
  briefly: { className: "hatched", legend: "can read for a time" },
  takes: {
    icon: "eye",
    className: "border-ink",
    legend: "can read without asking you, after saying why",
  },
  proposes: { icon: "tray-arrow-down", className: "border-edge", legend: "may only propose" },
  asks: { icon: "hand", className: "border-signal bg-signal text-on-signal", legend: "asks you" },
  never: { icon: "lock-simple-fill", className: "text-muted", legend: "never" },
  nothing: { className: "border-dashed border-edge/60", legend: "has to ask first" },
};

interface MarkProps extends Pick<Cell, "kind"> {
  isAsking?: boolean;
  /** How many of all it reads; null where that is all. */
  part?: number | null;
  className?: string;
}

/** What an agent can do with a category, at a glance; words beside it say the same. */
export function Mark({ kind, isAsking, part = null, className = "h-6.5 min-w-8.5" }: MarkProps) {
  const { icon, className: look } = looks[kind];
  return (
    <span aria-hidden="true" className={`mark ${look} ${className}`}>
      {icon !== undefined && <Icon icon={icon} className="size-4" />}
      {part !== null && (
        <span className="m-0.5 rounded-key bg-surface px-1 text-small leading-4 text-ink tabular-nums">
          {part.toLocaleString("en")}
        </span>
      )}
      {isAsking && kind !== "asks" && (
        <Icon
          icon="hand"
          className="absolute -top-2 -right-2.5 size-4.5 rounded-key bg-signal p-0.5 text-on-signal"
        />
      )}
    </span>
  );
}

/** Explains the marks of these cells, and no others. */
export function Legend({ cells }: { cells: readonly Cell[] }) {
  const has = (kind: Cell["kind"]) =>
    cells.some((cell) => cell.kind === kind || (kind === "asks" && cell.isAsking));
  const partial = cells.find((cell) => partOf(cell) !== null);
  return (
    <ul
      aria-label="What the marks mean"
      className="flex flex-wrap gap-x-4 gap-y-1 text-small text-muted max-rail:hidden"
    >
      {cellKinds.filter(has).map((kind) => (
        <li key={kind} className="flex items-center gap-2">
          <Mark kind={kind} className="h-4.5 w-5.5" />
          {looks[kind].legend}
        </li>
      ))}
      {partial !== undefined && (
        <li className="flex items-center gap-2">
          <Mark kind={partial.kind} part={partOf(partial)} />
          only {counted(partial.items, "item")} of it
        </li>
      )}
    </ul>
  );
}
