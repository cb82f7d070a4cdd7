"use client";

import type { ReactNode } from "react";
import { Icon } from "../../../../_components/icon";
import { confidenceWords } from "../../../../_components/words/confidence";
import type { CardWork } from "./use-card";

/** What becomes of the claim if it is kept. */
export function Facts({ work }: { work: CardWork }) {
  const { confidence, imported } = work.card;
  return (
    <dl className="px-4 pt-5.5 pb-1.5 rail:grid rail:grid-cols-[minmax(0,1.15fr)_auto_minmax(0,1fr)] rail:gap-x-4 rail:px-7 rail:pt-5.5 rail:pb-3.5">
      <Fact name="Goes into">
        <CategoryField work={work} />
      </Fact>
      <Fact name="It is">
        {imported === null ? <Sureness value={confidence} /> : "not said how sure"}
      </Fact>
      <Fact name="Can read it then">{work.audience}</Fact>
    </dl>
  );
}

function Sureness({ value }: { value: number }) {
  return (
    <>
      <Bars value={value} />
      <span title="How sure the agent says it is, from 0 to 1" className="whitespace-nowrap">
        {confidenceWords(value)}{" "}
        <span className="font-normal text-muted tabular-nums">{value.toFixed(2)}</span>
      </span>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-center gap-3 rail:block">
      <dt className="w-26 flex-none text-small text-muted rail:w-auto">{name}</dt>
      <dd className="flex min-h-8 min-w-0 items-center gap-2 font-medium rail:min-h-9 rail:mt-0.5">
        {children}
      </dd>
    </div>
  );
}

function Bars({ value }: { value: number }) {
  return (
    <span className="inline-flex gap-0.75" aria-hidden="true">
      {[1, 2, 3, 4, 5].map((bar) => (
        <i
          key={bar}
          className={`h-3.5 w-1.25 rounded-[1px] border ${bar <= Math.round(value * 5) ? "border-ink bg-ink forced-colors:bg-[CanvasText]" : "border-edge"}`}
        />
      ))}
    </span>
  );
}

/** Where it is kept; before scripts run only while it is edited, as nothing else would follow the choice. */
export function CategoryField({ work }: { work: CardWork }) {
  const { category, setCategory, known, mode } = work;
  const { icon, title } = known.categories[category] ?? { icon: "tag" as const, title: category };
  const isAlways = mode === "edit";
  return (
    <>
      <span className={`relative min-w-0 text-ink ${isAlways ? "" : "hidden scripting:block"}`}>
        <Icon
          icon={icon}
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2"
        />
        <select
          name="category"
          aria-label="Category"
          value={category}
          onChange={(event) => setCategory(event.target.value)}
          className="inline-flex max-w-full items-center truncate control pr-8 pl-9 font-medium"
        >
          {Object.entries(known.categories).map(([value, one]) => (
            <option key={value} value={value}>
              {one.title}
              {one.sensitive !== null && " (sensitive)"}
            </option>
          ))}
        </select>
      </span>
      {!isAlways && (
        <span className="inline-flex items-center gap-2 scripting:hidden">
          <Icon icon={icon} className="size-4" />
          {title}
        </span>
      )}
    </>
  );
}
