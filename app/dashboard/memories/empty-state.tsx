import type { MemoryFilters } from "@/lib/services/memories/browse-filters";
import { restorableDays } from "@/lib/services/memories/purge";
import { CopyButton } from "../../_components/copy-button";
import { Empty } from "../../_components/states/empty";
import { TextLink } from "../../_components/text-link";
import { isNarrowed, type MemoriesView, memoriesPage } from "./search";

interface EmptyStateProps {
  view: MemoriesView;
  did: string;
  filters: MemoryFilters;
}

const keptWords = {
  archived: "Archive a memory to keep it for yourself: no agent can read it then.",
  deleted: `What you delete stays here for ${restorableDays} days and can be restored. Then it is gone for good.`,
};

export function EmptyState({ view, did, filters }: EmptyStateProps) {
  const { state, sort } = view;
  if (isNarrowed(view) || view.after !== undefined) {
    return (
      <Empty title="Nothing here matches">
        <TextLink href={memoriesPage.href({ state, sort })}>Show all</TextLink> instead.
      </Empty>
    );
  }
  if (state !== "live") return <Empty title={`Nothing is ${state}`}>{keptWords[state]}</Empty>;
  if (filters.counts.archived + filters.counts.deleted > 0) {
    return (
      <Empty title="No memory is live">
        Agents can read none: all are archived or deleted, and listed below.
      </Empty>
    );
  }
  return (
    <Empty title="Nothing is remembered yet">
      Add what agents should know about you, or give an agent your identifier so that it can propose
      something: <code className="font-mono text-small break-all text-ink">{did}</code>{" "}
      <CopyButton text={did} what="your identifier" />
    </Empty>
  );
}
