import Link from "next/link";
import { Empty } from "../../../_components/empty";
import { type InboxFilter, inboxHref, isNarrowed } from "./filter";

interface NothingProps {
  narrowed: InboxFilter;
  did: string;
  hasAny: boolean;
}

/** Why the list is empty, and what comes of that. */
export function EmptyState({ narrowed, did, hasAny }: NothingProps) {
  const { tab, only } = narrowed;
  if (isNarrowed(narrowed)) {
    return (
      <Empty title={only === undefined ? "Nothing here matches" : "It does not wait any more"}>
        <Link href={inboxHref({ tab })} className="text-accent underline underline-offset-4">
          Show all
        </Link>{" "}
        instead.
      </Empty>
    );
  }
  if (tab === "decided") {
    return (
      <Empty title="You have not decided anything yet">
        What you approve or reject is kept here, with when and why. So is what ran out unanswered.
      </Empty>
    );
  }
  return (
    <Empty title={hasAny ? "All answered" : "No agent has proposed anything yet"}>
      {hasAny
        ? "New proposals appear here; one that you leave alone expires after 7 days, and nothing is remembered."
        : "An agent that learns something about you proposes it here, with its reason. Give one your identifier to begin: "}
      {!hasAny && <code className="font-mono text-xs break-all text-ink">{did}</code>}
    </Empty>
  );
}
