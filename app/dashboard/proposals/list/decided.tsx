import type { InboxItem } from "@/lib/services/proposals/inbox";
import { Button } from "../../../_components/button";
import { AgentName } from "../../../_components/shown/agent-name";
import { CategoryChip } from "../../../_components/shown/category-chip";
import { InertText } from "../../../_components/shown/inert-text";
import { When } from "../../../_components/shown/when";
import { TakeBack } from "../../../_components/toasts/toasts";
import { Claim } from "../review/card-body";

interface DecidedProps {
  items: InboxItem[];
  ownDid: string;
  now: Date;
}

export function Decided({ items, ownDid, now }: DecidedProps) {
  return (
    <ol className="flex flex-col divide-y divide-line rounded-box border border-line bg-surface shadow-raised">
      {items.map((item) => (
        <li key={item.id} className="px-4 py-4 sm:px-6">
          <Line item={item} ownDid={ownDid} now={now} />
        </li>
      ))}
    </ol>
  );
}

function Line({ item, ownDid, now }: { item: InboxItem; ownDid: string; now: Date }) {
  const { agent, category, content, decidedAt, reason, reviewedBy } = item;
  const outcome = outcomeOf(item);
  const kept = outcome === "Approved with changes" ? item.memory?.content : undefined;
  return (
    <article aria-label={outcome}>
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-sm">
          <span
            className={item.status === "approved" ? "font-semibold text-accent" : "font-semibold"}
          >
            {outcome}
          </span>
          <AgentName agent={agent} className="font-medium" />
        </h2>
        <p className="text-xs text-muted">
          {reviewedBy !== null && `${reviewedBy === ownDid ? "You" : reviewedBy}, `}
          {decidedAt !== null && <When at={decidedAt} now={now} />}
        </p>
      </header>
      <Claim text={content} small />
      {kept !== undefined && (
        <p className="mt-2">
          <span className="text-muted">Kept as: </span>
          <InertText text={kept} lines />
        </p>
      )}
      {reviewedBy !== null && reason !== null && reason !== "" && (
        <p className="mt-2">
          <span className="text-muted">Your reason: </span>
          <InertText text={reason} />
        </p>
      )}
      <div className="mt-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <CategoryChip category={category} />
        {item.isReopenable && <PutBack id={item.id} />}
      </div>
    </article>
  );
}

function PutBack({ id }: { id: string }) {
  return (
    <TakeBack undo={{ kind: "proposal", id }}>
      <Button type="submit" look="secondary">
        Put back in the inbox
      </Button>
    </TakeBack>
  );
}

function outcomeOf({ status, reviewedBy, memory, content }: InboxItem): string {
  if (status === "rejected") return reviewedBy === null ? "Expired unanswered" : "Rejected";
  return memory !== null && memory.content !== content ? "Approved with changes" : "Approved";
}
