import { searchMax } from "@/lib/services/memories/browse";
import type { MemoryFilters } from "@/lib/services/memories/browse-filters";
import { type Filter, FilterBar } from "../../../_components/lists/filter-bar";
import { selectFilter } from "../../../_components/lists/select-filter";
import { agentWords } from "../../../_components/shown/agent-name";
import { categoryTitle } from "../../../_components/words/category";
import { isNarrowed, type MemoriesView, memoriesPage } from "../search";

const sorts = { "": "Newest first", oldest: "Oldest first", changed: "Last changed first" };

export function Filters({ view, filters }: { view: MemoriesView; filters: MemoryFilters }) {
  const { q, category, source, state, sort } = view;
  const sources = {
    ...{ "": "From anyone", owner: "From you" },
    ...Object.fromEntries(filters.agents.map((one) => [one.did, `From ${agentWords(one)}`])),
    ...(filters.hasImported && { imported: "Imported" }),
  };
  const categories = {
    "": "All categories",
    ...Object.fromEntries(filters.categories.map((one) => [one, categoryTitle(one)])),
  };
  const shown: Filter[] = [
    { name: "q", label: "Search your memories", kind: "search", max: searchMax, value: q },
    selectFilter("category", "Category, and what lies below it", category, categories),
    selectFilter("source", "From", source, sources),
    selectFilter("sort", "Sort", sort === "newest" ? "" : sort, sorts),
    { name: "state", label: "Which", kind: "hidden", value: state === "live" ? "" : state },
  ];
  const clear = isNarrowed(view) ? memoriesPage.href({ state, sort }) : undefined;
  return <FilterBar action={memoriesPage.path} filters={shown} clear={clear} />;
}
