import type { iconNames } from "./icon-names";

export type IconName = (typeof iconNames)[number];

/** An icon beside words that say the same. */
export function Icon({ icon, className = "size-5" }: { icon: IconName; className?: string }) {
  return (
    <svg className={`shrink-0 fill-current ${className}`} aria-hidden="true" focusable="false">
      <use href={`/icons.svg#${icon}`} />
    </svg>
  );
}

/** Beside the head of a `<details class="group">`: points down while that is open. */
export function Caret() {
  return (
    <Icon
      icon="caret-down-bold"
      className="size-4 -rotate-90 group-open:rotate-0 motion-safe:transition-transform"
    />
  );
}
