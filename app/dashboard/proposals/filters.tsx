import Link from "next/link";
import type { InboxTab } from "@/lib/services/proposals/inbox";
import type { InboxFilters } from "@/lib/services/proposals/inbox-filters";
import { Button } from "../../_components/button";
import { agentLabel } from "../../_components/shown/agent-name";
import { categoryTitle } from "../../_components/words/category";
import { visibleText } from "../../_components/words/inert";

export interface Narrowed {
  tab: InboxTab;
  agent?: string;
  category?: string;
}

export function inboxHref({ tab, agent, category }: Narrowed, before?: string): string {
  const query = new URLSearchParams();
  if (tab !== "pending") query.set("tab", tab);
  if (agent !== undefined) query.set("agent", agent);
  if (category !== undefined) query.set("category", category);
  if (before !== undefined) query.set("before", before);
  const text = query.toString();
  return `/dashboard/proposals${text === "" ? "" : `?${text}`}`;
}

interface TabsProps {
  narrowed: Narrowed;
  counts: Record<InboxTab, number>;
}

const labels: Record<InboxTab, string> = { pending: "Pending", decided: "Decided" };
const tabs = ["pending", "decided"] as const;

export function Tabs({ narrowed, counts }: TabsProps) {
  return (
    <nav aria-label="Inbox">
      <ul className="flex gap-6 border-b border-line">
        {tabs.map((tab) => (
          <li key={tab}>
            <Link
              href={inboxHref({ ...narrowed, tab })}
              aria-current={tab === narrowed.tab ? "page" : undefined}
              className="-mb-px flex min-h-10 items-center gap-2 border-b-2 border-transparent text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
            >
              {labels[tab]}
              <span className="text-xs text-muted tabular-nums">
                {counts[tab].toLocaleString("en")}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface FiltersProps {
  narrowed: Narrowed;
  filters: InboxFilters;
}

/** A plain form: its answers stand in the address, to be kept or shared. */
export function Filters({ narrowed, filters }: FiltersProps) {
  const { tab, agent = "", category = "" } = narrowed;
  const field =
    "min-h-10 min-w-0 flex-1 basis-32 truncate rounded-box border border-edge bg-surface px-3 text-base sm:max-w-60 sm:text-sm";
  return (
    <search>
      <form action="/dashboard/proposals" className="flex flex-wrap items-center gap-2 sm:gap-3">
        {tab !== "pending" && <input type="hidden" name="tab" value={tab} />}
        <label htmlFor="filter-agent" className="sr-only">
          Agent
        </label>
        <select
          id="filter-agent"
          key={`agent ${agent}`}
          name="agent"
          defaultValue={agent}
          className={field}
        >
          <option value="">All agents</option>
          {filters.agents.map((one) => (
            <option key={one.did} value={one.did}>
              {visibleText(agentLabel(one))}
            </option>
          ))}
        </select>
        <label htmlFor="filter-category" className="sr-only">
          Category, and what lies below it
        </label>
        <select
          id="filter-category"
          key={`category ${category}`}
          name="category"
          defaultValue={category}
          className={field}
        >
          <option value="">All categories</option>
          {filters.categories.map((one) => (
            <option key={one} value={one}>
              {categoryTitle(one)}
            </option>
          ))}
        </select>
        <div className="flex items-center gap-4">
          <Button type="submit" look="secondary">
            Filter
          </Button>
          {(agent !== "" || category !== "") && (
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
