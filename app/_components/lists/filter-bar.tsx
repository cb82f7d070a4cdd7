"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useId, useLayoutEffect, useRef, useTransition } from "react";
import { Button } from "../button";
import { type Option, Options } from "../forms/fields/options";
import { Awake } from "../forms/scope";
import { Icon } from "../icon";

/** A day that is `isCustom` counts only where a choice is `custom`. */
export type Filter = { name: string; label: string; value?: string } & (
  | { kind: "search"; max: number }
  | { kind: "select"; choices: readonly Option[] }
  | { kind: "day"; isCustom?: boolean }
  | { kind: "hidden" }
);

interface FilterBarProps {
  /** The page that is filtered. */
  action: string;
  filters: readonly Filter[];
  /** Shows all but the search behind one button at any width, not only on a phone. */
  isFolded?: boolean;
  /** Where everything is shown again; left out where nothing is filtered. */
  clear?: string;
}

const restMs = 250;
const isSearch = ({ kind }: Filter) => kind === "search";

/** What a list shows stands in its address: at once with scripts, by a button without them. */
export function FilterBar({ action, filters, isFolded = false, clear }: FilterBarProps) {
  const plain = filters.filter((one) => isSearch(one) || one.kind === "hidden");
  const narrowing = filters.filter((one) => !plain.includes(one));
  const { form, isPending, send, changed } = useFilters(action, filters);
  return (
    <search className="min-w-0 flex-1" aria-busy={isPending}>
      <form
        ref={form}
        action={action}
        onSubmit={send}
        onInput={changed}
        autoComplete="off"
        data-at-once
        className="group flex flex-wrap items-center gap-2"
      >
        <Awake />
        <Fields filters={plain} />
        {narrowing.length > 0 && (
          <Narrowing filters={narrowing} isFolded={isFolded} isNamed={!plain.some(isSearch)} />
        )}
        <Button type="submit" look="secondary" className="scripting:hidden">
          Show
        </Button>
        {clear !== undefined && (
          <Link href={clear} className="px-2 link font-medium">
            Clear
          </Link>
        )}
      </form>
    </search>
  );
}

function useFilters(action: string, filters: readonly Filter[]) {
  const router = useRouter();
  const [isPending, start] = useTransition();
  const form = useRef<HTMLFormElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const shown = useRef(filters);
  // At once: what is filled in right after the page has changed is not put back.
  useLayoutEffect(() => {
    const before = new Map(shown.current.map(({ name, value = "" }) => [name, value]));
    shown.current = filters;
    // A choice made since is on its way: its answer comes next.
    if (timer.current !== undefined) return;
    for (const { name, value = "" } of filters) {
      if (before.get(name) === value) continue;
      const control = form.current?.elements.namedItem(name);
      const isField = control instanceof HTMLInputElement || control instanceof HTMLSelectElement;
      if (isField && control !== document.activeElement) control.value = value;
    }
  }, [filters]);
  useEffect(() => () => clearTimeout(timer.current), []);
  function show() {
    clearTimeout(timer.current);
    timer.current = undefined;
    if (form.current === null) return;
    const query = new URLSearchParams();
    const isCustom = form.current.querySelector("[value=custom]:checked") !== null;
    for (const [name, value] of new FormData(form.current)) {
      const filter = filters.find((one) => one.name === name);
      const isLeftOut = filter?.kind === "day" && filter.isCustom === true && !isCustom;
      if (typeof value === "string" && value !== "" && !isLeftOut) query.set(name, value);
    }
    const address = query.size === 0 ? action : `${action}?${query}`;
    start(() => router.replace(address, { scroll: false }));
  }
  function send(event: FormEvent) {
    event.preventDefault();
    show();
  }
  function changed({ target }: FormEvent) {
    const isTyped = target instanceof HTMLInputElement && target.type === "search";
    clearTimeout(timer.current);
    timer.current = setTimeout(show, isTyped ? restMs : 0);
  }
  return { form, isPending, send, changed };
}

function Fields({ filters }: { filters: readonly Filter[] }) {
  return filters.map((filter) => <FilterField key={filter.name} filter={filter} />);
}

/** What narrows a list, beside its search; on a phone behind a button. */
function Narrowing({ filters, isFolded, isNamed }: NarrowingProps) {
  const id = useId();
  const chosen = filters.filter(({ value = "" }) => value !== "").length;
  const look = chosen > 0 ? "border-ink bg-ink text-on-ink" : "border-edge bg-surface";
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        title="Filters"
        className={`inline-flex h-11 min-w-11 flex-none items-center justify-center gap-2 rounded-control border px-2.5 font-semibold hover:border-ink ${look} ${isFolded ? "rail:h-9 rail:min-w-9 rail:px-1.5" : "rail:hidden"}`}
      >
        <Icon icon="funnel-simple" />
        <span className={isNamed ? "" : "sr-only"}>
          Filters{chosen > 0 && <span className="sr-only">, {chosen} chosen</span>}
        </span>
      </button>
      <div
        id={id}
        popover="auto"
        className={`menu gap-2 p-3 open:grid ${isFolded ? "w-64" : "rail:contents"}`}
      >
        <Fields filters={filters} />
      </div>
    </>
  );
}

interface NarrowingProps {
  filters: readonly Filter[];
  isFolded: boolean;
  /** Whether its button says in letters what it is: beside a search its icon does. */
  isNamed: boolean;
}

function FilterField({ filter }: { filter: Filter }) {
  const { name, label, value = "" } = filter;
  const field = { name, "aria-label": label, defaultValue: value };
  switch (filter.kind) {
    case "hidden":
      return value === "" ? null : <input type="hidden" name={name} value={value} />;
    case "search":
      return (
        <span className="relative min-w-0 flex-1 basis-40">
          <Icon
            icon="magnifying-glass"
            className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
          />
          <input
            {...field}
            type="search"
            maxLength={filter.max}
            placeholder={label}
            autoComplete="off"
            className="w-full control pl-9"
          />
        </span>
      );
    case "day":
      return (
        <label
          className={`items-center gap-2 text-muted ${filter.isCustom ? "hidden group-has-[option[value=custom]:checked]:flex" : "flex"}`}
        >
          {label}
          <input {...field} type="date" className="control text-ink" />
        </label>
      );
    case "select":
      return (
        <select
          {...field}
          data-chosen={value === "" ? undefined : ""}
          className="min-w-0 flex-1 basis-32 truncate control max-rail:w-full rail:max-w-52 rail:flex-none rail:basis-auto"
        >
          <Options choices={filter.choices} chosen={value} />
        </select>
      );
  }
}
