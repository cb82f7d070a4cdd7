import { Category } from "@/lib/protocol/scope";
import {
  type InboxOrder,
  type InboxPlace,
  type InboxTab,
  inboxOrders,
  inboxTabs,
  type Outcome,
  outcomes,
  searchLengthMax,
} from "@/lib/services/proposals/inbox";
import { firstParam } from "../../query";
import { ProposalId } from "../schemas";

/** The filter of the inbox in the address. */
export interface InboxFilter {
  tab: InboxTab;
  agent?: string;
  category?: Category;
  search?: string;
  outcome?: Outcome;
  order?: InboxOrder;
  /** Show this proposal only. */
  only?: string;
}

const names = ["tab", "agent", "category", "q", "outcome", "order", "only", "before"] as const;
export type Query = Record<(typeof names)[number], string | string[] | undefined>;

export function inboxHref({ search, ...narrowed }: InboxFilter, before?: string): string {
  const query = new URLSearchParams();
  const filters: Partial<Record<(typeof names)[number], string>> = {
    ...narrowed,
    q: search,
    before,
  };
  for (const name of names) {
    const value = filters[name];
    if (value !== undefined && value !== "" && value !== "pending") query.set(name, value);
  }
  const text = query.toString();
  return `/dashboard/proposals${text === "" ? "" : `?${text}`}`;
}

export function narrowedBy(query: Query): InboxFilter {
  const tab = inboxTabs.find((one) => one === firstParam(query.tab)) ?? "pending";
  const search = firstParam(query.q)?.trim().slice(0, searchLengthMax);
  return {
    tab,
    agent: firstParam(query.agent)?.slice(0, 200),
    category: Category.safeParse(firstParam(query.category)).data,
    search: search === "" ? undefined : search,
    outcome:
      tab === "decided" ? outcomes.find((one) => one === firstParam(query.outcome)) : undefined,
    order: inboxOrders[tab].find((one) => one === firstParam(query.order) && one !== "newest"),
    only: ProposalId.safeParse(firstParam(query.only)).data,
  };
}

export function isNarrowed({ tab: _, order: __, ...narrowed }: InboxFilter): boolean {
  return Object.values(narrowed).some((value) => value !== undefined);
}

export function textOf({ at, id }: InboxPlace): string {
  return `${at}~${id}`;
}

export function placeIn(text: string | undefined): InboxPlace | undefined {
  const [at = "", id = ""] = text?.slice(0, 100).split("~") ?? [];
  return text === undefined ? undefined : { at, id };
}
