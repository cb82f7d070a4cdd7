import type { InboxItem } from "@/lib/services/proposals/inbox-item";
import { Button } from "../../../_components/button";
import { AgentName } from "../../../_components/shown/agent-name";
import { CategoryChip } from "../../../_components/shown/category-chip";
import { InertText } from "../../../_components/shown/inert-text";
import { LongText } from "../../../_components/shown/long-text";
import { When } from "../../../_components/shown/when";
import { TakeBack } from "../../../_components/toasts/toasts";
import { visibleText } from "../../../_components/words/inert";

interface DecidedProps {
  items: InboxItem[];
  ownDid: string;
  now: Date;
}

export function Decided({ items, ...reader }: DecidedProps) {
  return (
    <ol className="flex flex-col divide-y divide-line box">
      {items.map((item) => (
        <li key={item.id} className="px-4 py-4 sm:px-6">
          <Line item={item} {...reader} />
        </li>
      ))}
    </ol>
  );
}

function Line({ item, ownDid, now }: Omit<DecidedProps, "items"> & { item: InboxItem }) {
  const { id, agent, memory, content, decidedAt, reason, reviewedBy } = item;
  const outcome = outcomeOf(item);
  return (
    <article aria-label={outcome}>
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 className="flex min-w-0 flex-wrap items-center gap-x-2 text-small">
          <span className="font-semibold">{outcome}</span>
          <AgentName agent={agent} className="font-medium" tile="size-5" />
        </h2>
        <p className="text-small text-muted">
          {reviewedBy !== null && `${reviewerWords(item, ownDid)}, `}
          {decidedAt !== null && <When at={decidedAt} now={now} />}
        </p>
      </header>
      <div className="theirs mt-2 px-3 py-2">
        <LongText text={content} />
      </div>
      {memory !== null && memory.content !== content && (
        <Said name="Kept as" text={memory.content} />
      )}
      {reviewedBy !== null && reason !== null && <Said name="Reason given" text={reason} />}
      <div className="mt-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <CategoryChip category={memory?.category ?? item.category} />
        {item.isReopenable && (
          <TakeBack undo={{ kind: "proposal", id }}>
            <Button type="submit" look="secondary">
              Put back in the inbox
            </Button>
          </TakeBack>
        )}
      </div>
    </article>
  );
}

function reviewerWords({ reviewedBy, reviewer }: InboxItem, ownDid: string): string {
  if (reviewedBy === null || reviewedBy === ownDid) return "You";
  if (reviewedBy.startsWith("rule_")) return "By your rule";
  return reviewedBy.startsWith("rvw_")
    ? visibleText(`Reviewer ${reviewer ?? ""}`.trim())
    : reviewedBy;
}

function Said({ name, text }: { name: string; text: string }) {
  if (text === "") return null;
  return (
    <p className="mt-2">
      <span className="text-muted">{name}: </span>
      <InertText text={text} lines />
    </p>
  );
}

function outcomeOf({ status, reviewedBy, reason, memory, content, category }: InboxItem): string {
  if (status === "rejected" && reviewedBy === null) {
    return reason === "withdrawn" ? "Taken back by its agent" : "Expired unanswered";
  }
  if (status === "rejected") return "Rejected";
  const isAsProposed =
    memory === null || (memory.content === content && memory.category === category);
  return isAsProposed ? "Approved" : "Approved with changes";
}
