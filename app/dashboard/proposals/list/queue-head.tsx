import Link from "next/link";
import type { ReactNode } from "react";
import { inboxOrders, type Outcome, searchLengthMax } from "@/lib/services/proposals/inbox";
import type { InboxFilters } from "@/lib/services/proposals/inbox-filters";
import { Icon } from "../../../_components/icon";
import { type Filter, FilterBar } from "../../../_components/lists/filter-bar";
import { selectFilter } from "../../../_components/lists/select-filter";
import { menuItem } from "../../../_components/menu";
import { agentWords } from "../../../_components/shown/agent-name";
import { categoryTitle } from "../../../_components/words/category";
import { groupings } from "../review/groups";
import { type InboxSearch, inboxSearch, isFiltered } from "../search";

interface QueueHeadProps {
  search: InboxSearch;
  counts: { pending: number; decided: number };
  filters: InboxFilters;
}

/** Which list it is, how it is grouped, and what it is narrowed to. */
export function QueueHead({ search, counts, filters }: QueueHeadProps) {
  const { tab, group } = search;
  const hasAny = filters.categories.length > 0;
  return (
    <div className="flex flex-col gap-2.5 px-4 pt-4.5 pb-2">
      <div className="flex items-center justify-between gap-2 rail:min-h-8">
        <p
          aria-hidden="true"
          className="text-title font-semibold tracking-tight not-in-data-over:max-rail:hidden"
        >
          Inbox
        </p>
        {tab === "pending" && hasAny && <Groupings search={search} />}
        {tab === "pending" && (
          <a href="#stage" className="sr-only focus:not-sr-only">
            Skip to the card
          </a>
        )}
      </div>
      <Tabs search={search} counts={counts} />
      {hasAny && (
        <FilterBar
          action={inboxSearch.path}
          filters={filtersOf(search, filters)}
          isFolded
          clear={isFiltered(search) ? inboxSearch.href({ tab, group }) : undefined}
        />
      )}
      {tab === "pending" && !hasAny && (
        <p className="py-2 text-small text-muted max-rail:hidden">
          Give an agent your identifier: each memory that it proposes is listed here.
        </p>
      )}
    </div>
  );
}

const tabNames = { pending: "Pending", decided: "Decided" };

function Tabs({ search, counts }: Pick<QueueHeadProps, "search" | "counts">) {
  const { group, agent, category, q } = search;
  return (
    <nav aria-label="Inbox">
      <ul className="flex gap-5 border-b border-line">
        {(["pending", "decided"] as const).map((tab) => (
          <li key={tab}>
            <Link
              href={inboxSearch.href({ tab, group, agent, category, q })}
              aria-current={tab === search.tab ? "page" : undefined}
              className="-mb-px flex min-h-11 items-center gap-1.5 border-b-3 border-transparent font-medium text-muted hover:text-ink aria-[current=page]:border-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink rail:min-h-9 forced-colors:not-aria-[current=page]:border-[Canvas]"
            >
              {tabNames[tab]}
              <span className="font-normal text-muted tabular-nums">
                {counts[tab].toLocaleString("en")}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const groupNames = { agent: "By agent", kind: "By kind", time: "By time" };

function Groupings({ search }: { search: InboxSearch }) {
  const { group: current } = search;
  return (
    <>
      <button
        type="button"
        popoverTarget="groupings"
        className="inline-flex min-h-11 items-center gap-2 rounded-control px-2 font-medium text-muted hover:text-ink rail:min-h-8"
      >
        {groupNames[current]}
        <Icon icon="caret-down-bold" className="size-4" />
      </button>
      {/* A new one each time: what was chosen closes it. */}
      <ul key={current} id="groupings" popover="auto" className="menu">
        {groupings.map((group) => (
          <li key={group}>
            <Link
              href={inboxSearch.href({ ...search, group, card: undefined, ask: undefined })}
              aria-current={group === current ? "true" : undefined}
              className={`${menuItem} aria-[current=true]:bg-sunken aria-[current=true]:font-semibold -outline-offset-2 forced-colors:aria-[current=true]:outline-2`}
            >
              {groupNames[group]}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

const outcomeNames: Record<"" | Outcome, string> = {
  "": "Outcome: all",
  approved: "Approved",
  rejected: "Rejected",
  expired: "Expired or taken back",
};
const orderNames = {
  newest: "Newest first",
  oldest: "Oldest first",
  expiring: "Expires soonest",
  confident: "Most confident first",
};

function filtersOf(search: InboxSearch, { agents, categories }: InboxFilters): Filter[] {
  const { tab, group, agent, category, outcome, order, q } = search;
  const isPending = tab === "pending";
  const agentNames = Object.fromEntries(agents.map((one) => [one.did, agentWords(one)]));
  const categoryNames = Object.fromEntries(categories.map((one) => [one, categoryTitle(one)]));
  const orders = Object.fromEntries(
    inboxOrders[tab].map((one) => [one === "newest" ? "" : one, orderNames[one]]),
  );
  return [
    { kind: "search", name: "q", label: "Search proposals", max: searchLengthMax, value: q },
    { kind: "hidden", name: "tab", label: "", value: isPending ? "" : tab },
    { kind: "hidden", name: "group", label: "", value: group === "agent" ? "" : group },
    selectFilter("agent", "Agent", agent, { "": "Agent: all", ...agentNames }),
    selectFilter("category", "Category", category, { "": "Category: all", ...categoryNames }),
    ...(isPending ? [] : [selectFilter("outcome", "Outcome", outcome, outcomeNames)]),
    selectFilter("order", "Order", order === "newest" ? "" : order, orders),
  ];
}

/** Both lists lie beside the head: what waits and what was decided. */
export function BesideHead({ head, children }: { head: ReactNode; children: ReactNode }) {
  return (
    <div
      data-full
      className="grid min-h-0 flex-1 overflow-y-auto max-rail:scroll-pb-20 max-rail:content-start max-rail:pb-20 rail:grid-cols-[248px_minmax(0,1fr)] rail:grid-rows-[minmax(0,1fr)] rail:overflow-visible full:grid-cols-[304px_minmax(0,1fr)]"
    >
      <h1 className="sr-only">Inbox</h1>
      <section aria-label="Filters" className="border-line rail:border-r print:hidden">
        {head}
      </section>
      <div className="flex flex-col gap-4 px-4 py-4 rail:min-h-0 rail:overflow-y-auto rail:px-7">
        {children}
      </div>
    </div>
  );
}
