import Link from "next/link";
import { countMax, type MemoriesFound } from "@/lib/services/memories/browse";
import type { MemoryFilters } from "@/lib/services/memories/browse-filters";
import { memoryStates } from "@/lib/services/memories/shown";
import { counted } from "../../../_components/words/list";
import { isNarrowed, type MemoriesView, memoriesPage } from "../search";

interface SummaryProps {
  view: MemoriesView;
  found: MemoriesFound;
  filters: MemoryFilters;
}

const stateWords = { live: "Live", archived: "Archived", deleted: "Deleted" };

/** How many there are, and where the others are. */
export function Summary({ view, found, filters: { counts } }: SummaryProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 text-small text-muted">
      <p id="memories-count" role="status" tabIndex={-1}>
        {countWords(found, view)}
      </p>
      <ul aria-label="Which memories" className="flex gap-4">
        {memoryStates.map((state) => (
          <li key={state}>
            <Link
              href={memoriesPage.href({ ...view, state, after: undefined, add: undefined })}
              prefetch={false}
              aria-current={state === view.state ? "true" : undefined}
              className="inline-flex min-h-11 items-center link aria-[current=true]:font-semibold aria-[current=true]:text-ink rail:min-h-6"
            >
              {stateWords[state]} {counts[state].toLocaleString("en")}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function countWords({ count }: MemoriesFound, view: MemoriesView): string {
  const words =
    count >= countMax
      ? `${countMax.toLocaleString("en")} memories or more`
      : counted(count, "memory", "memories");
  return isNarrowed(view) ? `${words} found` : words;
}
