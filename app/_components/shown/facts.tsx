import type { ReactNode } from "react";

/** What is known about one thing, a line each. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[fit-content(50%)_minmax(0,1fr)] gap-x-6 gap-y-1">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="wrap-anywhere">
            {typeof value === "number" ? value.toLocaleString("en") : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
