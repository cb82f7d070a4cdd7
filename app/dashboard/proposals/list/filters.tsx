import Link from "next/link";
import { inboxOrders, outcomes, searchLengthMax } from "@/lib/services/proposals/inbox";
import type { InboxFilters } from "@/lib/services/proposals/inbox-filters";
import { Button } from "../../../_components/button";
import { type Option, Options } from "../../../_components/forms/options";
import { agentLabel } from "../../../_components/shown/agent-name";
import { categoryTitle } from "../../../_components/words/category";
import { visibleText } from "../../../_components/words/inert";
import { type InboxFilter, inboxHref, isNarrowed } from "./filter";

interface FiltersProps {
  narrowed: InboxFilter;
  filters: InboxFilters;
}

const outcomeWords = { approved: "Approved", rejected: "Rejected", expired: "Expired unanswered" };
const orderWords = {
  newest: "Newest first",
  oldest: "Oldest first",
  expiring: "Expires soonest",
  confident: "Most confident first",
};

const field = "min-h-10 rounded-box border border-edge bg-surface px-3 text-base sm:text-sm";

/** A plain form: its answers stand in the address, to be kept or shared. */
export function Filters({ narrowed, filters }: FiltersProps) {
  const { tab, agent = "", category = "", search = "", outcome = "", order = "" } = narrowed;
  return (
    <search>
      <form action="/dashboard/proposals" className="flex flex-wrap items-center gap-2 sm:gap-3">
        {tab !== "pending" && <input type="hidden" name="tab" value={tab} />}
        <label htmlFor="filter-search" className="sr-only">
          Words in what is proposed
        </label>
        <input
          id="filter-search"
          key={`search ${search}`}
          type="search"
          name="q"
          defaultValue={search}
          maxLength={searchLengthMax}
          placeholder="Search"
          className={`${field} min-w-0 basis-full placeholder:text-muted`}
        />
        <Choice
          name="agent"
          label="Agent"
          chosen={agent}
          options={[
            ["", "All agents"],
            ...filters.agents.map((one): Option => [one.did, visibleText(agentLabel(one))]),
          ]}
        />
        <Choice
          name="category"
          label="Category, and what lies below it"
          chosen={category}
          options={[
            ["", "All categories"],
            ...filters.categories.map((one): Option => [one, categoryTitle(one)]),
          ]}
        />
        {tab === "decided" && (
          <Choice
            name="outcome"
            label="Outcome"
            chosen={outcome}
            options={[
              ["", "All outcomes"],
              ...outcomes.map((one): Option => [one, outcomeWords[one]]),
            ]}
          />
        )}
        <Choice
          name="order"
          label="Order"
          chosen={order}
          options={inboxOrders[tab].map(
            (one): Option => [one === "newest" ? "" : one, orderWords[one]],
          )}
        />
        <div className="flex items-center gap-4">
          <Button type="submit" look="secondary">
            Filter
          </Button>
          {(isNarrowed(narrowed) || order !== "") && (
            <Link
              href={inboxHref({ tab })}
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

interface ChoiceProps {
  name: string;
  label: string;
  chosen: string;
  options: Option[];
}

function Choice({ name, label, chosen, options }: ChoiceProps) {
  return (
    <>
      <label htmlFor={`filter-${name}`} className="sr-only">
        {label}
      </label>
      <select
        id={`filter-${name}`}
        key={`${name} ${chosen}`}
        name={name}
        defaultValue={chosen}
        className={`${field} min-w-0 flex-1 basis-32 truncate sm:max-w-52`}
      >
        <Options choices={options} chosen={chosen} />
      </select>
    </>
  );
}
