import { parseCursor } from "@/lib/http/session/cursor";
import { Category } from "@/lib/protocol/scope";
import {
  type MemoryPlace,
  type MemorySort,
  memorySorts,
  searchMax,
} from "@/lib/services/memories/browse";
import { type MemoryState, memoryStates } from "@/lib/services/memories/shown";
import { firstParam } from "../query";

/** The filter of the memories in the address. */
export interface MemoryFilter {
  state: MemoryState;
  sort: MemorySort;
  search?: string;
  category?: Category;
  source?: string;
  after?: MemoryPlace;
  /** The memory whose form is open, or `new` for the one that adds. */
  edit?: string;
}

type Parameter = "q" | "category" | "source" | "state" | "sort" | "after" | "edit";
export type Query = Partial<Record<Parameter, string | string[]>>;

export function parseMemoryFilter(query: Query): MemoryFilter {
  const search = firstParam(query.q)?.trim().slice(0, searchMax);
  return {
    state: memoryStates.find((one) => one === firstParam(query.state)) ?? "live",
    sort: memorySorts.find((one) => one === firstParam(query.sort)) ?? "newest",
    search: search === "" ? undefined : search,
    category: Category.safeParse(firstParam(query.category)).data,
    source: firstParam(query.source)?.slice(0, 200),
    after: placeIn(firstParam(query.after)),
    edit: firstParam(query.edit),
  };
}

/** Where it is looked at. */
export function hrefOf({
  state,
  sort,
  search,
  category,
  source,
  after,
  edit,
}: MemoryFilter): string {
  const query = new URLSearchParams();
  const set = (name: Parameter, value: string | undefined) =>
    value === undefined || query.set(name, value);
  set("q", search);
  set("category", category);
  set("source", source);
  if (state !== "live") set("state", state);
  if (sort !== "newest") set("sort", sort);
  if (after !== undefined) set("after", [after.tier, after.at.toISOString(), after.id].join("~"));
  set("edit", edit);
  const text = query.toString();
  return `/dashboard/memories${text === "" ? "" : `?${text}`}`;
}

export function isNarrowed({ search, category, source }: MemoryFilter): boolean {
  return search !== undefined || category !== undefined || source !== undefined;
}

function placeIn(text: string | undefined): MemoryPlace | undefined {
  const [tier = "", instant = "", id = ""] = text?.split("~") ?? [];
  return parseCursor(`${instant}~${id}~${tier}`);
}
