import type { ReactNode } from "react";
import { ButtonLink } from "../../../_components/button";
import { CopyButton } from "../../../_components/copy-button";
import { type InboxSearch, inboxSearch, isFiltered } from "../search";

interface EmptyStateProps {
  search: InboxSearch;
  did: string;
  hasAny: boolean;
}

/** Why nothing is shown, and the first step to take. */
export function EmptyState({ search, did, hasAny }: EmptyStateProps) {
  const { tab, group } = search;
  if (isFiltered(search)) {
    return (
      <Gate title="Nothing here matches">
        <ButtonLink href={inboxSearch.href({ tab, group })} look="secondary">
          Show all
        </ButtonLink>
      </Gate>
    );
  }
  if (tab === "decided") {
    return (
      <Gate
        title="You have not decided anything yet"
        words="What you approve or reject is kept here, with when and why. So is what ran out unanswered."
      />
    );
  }
  return (
    <Gate
      title="Nobody is at the gate"
      words="When an agent wants to remember something about you, it waits here for 7 days. Nothing becomes part of your profile before you approve it."
    >
      {!hasAny && (
        <p className="basis-full">
          Agents know you as <code className="font-mono text-small break-all text-ink">{did}</code>{" "}
          <CopyButton text={did} what="identifier" />
        </p>
      )}
      <ButtonLink href="/dashboard/agents">
        {hasAny ? "See your agents" : "Register an agent"}
      </ButtonLink>
      {hasAny && (
        <ButtonLink href={inboxSearch.href({ tab: "decided" })} look="secondary">
          See what was decided
        </ButtonLink>
      )}
    </Gate>
  );
}

function Gate({ title, words, children }: { title: string; words?: string; children?: ReactNode }) {
  return (
    <div className="m-auto flex max-w-120 flex-col items-center px-4 py-8 text-center">
      <svg viewBox="0 0 132 88" className="w-33" aria-hidden="true">
        <path d="M36 1h9v83h-9zM87 1h9v83h-9zM0 83h132v3H0z" className="fill-ink" />
        <circle
          cx="66"
          cy="52"
          r="8"
          className="fill-none stroke-edge"
          strokeWidth="2"
          strokeDasharray="4 3"
        />
      </svg>
      <h2 tabIndex={-1} className="mt-5 text-title font-semibold outline-none">
        {title}
      </h2>
      {words !== undefined && <p className="mt-1.5 text-balance text-muted">{words}</p>}
      <div className="mt-5 flex flex-wrap items-center justify-center gap-2 text-muted">
        {children}
      </div>
    </div>
  );
}
