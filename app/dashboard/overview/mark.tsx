import { Icon, type IconName } from "../../_components/icon";
import type { Cell } from "./matrix";

type Look = { icon?: IconName; className: string; legend: string };

const looks: Record<Cell["kind"], Look> = {
  reads: { icon: "eye", className: "border-ink bg-ink text-on-ink", legend: "can read" },
  briefly: { className: "hatched", legend: "can read for a time" },
  takes: { icon: "eye", className: "border-ink", legend: "may take without asking" },
  proposes: { icon: "tray-arrow-down", className: "border-edge", legend: "may only propose" },
  asks: { icon: "hand", className: "border-signal bg-signal text-on-signal", legend: "asks you" },
  never: { icon: "lock-simple-fill", className: "text-muted", legend: "never" },
  nothing: { className: "border-dashed border-edge/60", legend: "has to ask first" },
};

interface MarkProps extends Pick<Cell, "kind"> {
  isAsking?: boolean;
  /** How many of all it reads, where that is not all. */
  part?: number;
  className?: string;
}

/** What an agent can do with a category, at a glance; words beside it say the same. */
export function Mark({ kind, isAsking, part, className = "h-6.5 min-w-8.5" }: MarkProps) {
  const { icon, className: look } = looks[kind];
  const asks = isAsking && kind !== "asks";
  return (
    <span aria-hidden="true" className={`relative mark ${look} ${className}`}>
      {part === undefined ? (
        icon !== undefined && <Icon icon={icon} className="size-4" />
      ) : (
        <span className="m-0.5 rounded-key bg-surface px-1 text-small leading-4 text-ink tabular-nums">
          {part.toLocaleString("en")}
        </span>
      )}
      {asks && (
        <Icon
          icon="hand"
          className="absolute -top-2 -right-2.5 size-4.5 rounded-key bg-signal p-0.5 text-on-signal"
        />
      )}
    </span>
  );
}

export function Legend({ kinds }: { kinds: readonly Cell["kind"][] }) {
  return (
    <ul
      aria-label="What the marks mean"
      className="flex flex-wrap gap-x-4 gap-y-1 text-small text-muted max-rail:hidden"
    >
      {kinds.map((kind) => (
        <li key={kind} className="flex items-center gap-2">
          <Mark kind={kind} className="h-4.5 w-5.5" />
          {looks[kind].legend}
        </li>
      ))}
    </ul>
  );
}
