import Link from "next/link";
import { searchMax } from "@/lib/services/memories/browse";
import type { MemoryFilters } from "@/lib/services/memories/browse-filters";
import { memoryStates } from "@/lib/services/memories/shown";
import { Button } from "../../_components/button";
import { Options } from "../../_components/forms/options";
import { Segments } from "../../_components/lists/segments";
import { agentLabel } from "../../_components/shown/agent-name";
import { categoryTitle } from "../../_components/words/category";
import { visibleText } from "../../_components/words/inert";
import { hrefOf, isNarrowed, type MemoryFilter } from "./filter";

const stateWords = { live: "Live", archived: "Archived", deleted: "Deleted" };

export function States({ looked }: { looked: MemoryFilter }) {
  return (
    <Segments
      label="Which memories"
      choices={memoryStates.map((state) => ({
        href: hrefOf({ ...looked, state, after: undefined, edit: undefined }),
        text: stateWords[state],
        isCurrent: state === looked.state,
      }))}
    />
  );
}

interface Choice {
  value: string;
  text: string;
}

const sorts: Choice[] = [
  { value: "newest", text: "Newest first" },
  { value: "oldest", text: "Oldest first" },
  { value: "changed", text: "Last changed first" },
];

/** A plain form: its answers stand in the address, to be kept or shared. */
export function Filters({ looked, filters }: { looked: MemoryFilter; filters: MemoryFilters }) {
  const { search = "", category = "", source = "", state, sort } = looked;
  const sources: Choice[] = [
    { value: "owner", text: "You" },
    ...filters.agents.map((one) => ({ value: one.did, text: visibleText(agentLabel(one)) })),
    ...(filters.hasImported ? [{ value: "imported", text: "Imported" }] : []),
  ];
  return (
    <search>
      <form action="/dashboard/memories" className="flex flex-wrap items-center gap-2 sm:gap-3">
        {state !== "live" && <input type="hidden" name="state" value={state} />}
        <label htmlFor="memory-search" className="sr-only">
          Search your memories
        </label>
        <input
          id="memory-search"
          key={search}
          type="search"
          name="q"
          defaultValue={search}
          maxLength={searchMax}
          placeholder="Search"
          autoComplete="off"
          className="min-h-10 min-w-0 flex-1 basis-full rounded-box border border-edge bg-surface px-3 text-base placeholder:text-muted sm:text-sm"
        />
        <Choose
          name="category"
          label="Category, and what lies below it"
          all="All categories"
          chosen={category}
          choices={filters.categories.map((value) => ({ value, text: categoryTitle(value) }))}
        />
        <Choose name="source" label="From" all="From anyone" chosen={source} choices={sources} />
        <Choose name="sort" label="Sort" chosen={sort} choices={sorts} />
        <div className="flex items-center gap-4">
          <Button type="submit" look="secondary">
            Search
          </Button>
          {isNarrowed(looked) && (
            <Link
              href={hrefOf({ state, sort })}
              className="font-medium text-accent underline underline-offset-4"
            >
              Clear
            </Link>
          )}
        </div>
      </form>
    </search>
  );
}

interface ChooseProps {
  name: string;
  label: string;
  /** The label of "no filter". */
  all?: string;
  chosen: string;
  choices: Choice[];
}

function Choose({ name, label, all, chosen, choices }: ChooseProps) {
  const id = `memory-${name}`;
  return (
    <>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <select
        id={id}
        key={chosen}
        name={name}
        defaultValue={chosen}
        className="min-h-10 min-w-0 flex-1 basis-32 truncate rounded-box border border-edge bg-surface px-3 text-base sm:max-w-60 sm:text-sm"
      >
        {all !== undefined && <option value="">{all}</option>}
        <Options choices={choices.map(({ value, text }) => [value, text])} chosen={chosen} />
      </select>
    </>
  );
}
