import { restorableDays } from "@/lib/services/memories/purge";
import { CopyButton } from "../../_components/copy-button";
import { Empty } from "../../_components/states/empty";
import { TextLink } from "../../_components/text-link";
import { isNarrowed, type MemoriesView, memoriesPage } from "./search";

export function EmptyState({ view, did }: { view: MemoriesView; did: string }) {
  const { state, sort } = view;
  if (isNarrowed(view) || view.after !== undefined) {
    return (
      <Empty title="Nothing here matches">
        <TextLink href={memoriesPage.href({ state, sort })}>Show all</TextLink> instead.
      </Empty>
    );
  }
  if (state === "archived") {
    return (
      <Empty title="Nothing is archived">
        Archive a memory to keep it for yourself: no agent can read it then.
      </Empty>
    );
  }
  if (state === "deleted") {
    return (
      <Empty title="Nothing is deleted">
        What you delete stays here for {restorableDays} days and can be restored. Then it is gone
        for good.
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
