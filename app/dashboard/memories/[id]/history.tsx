import type { HistoryEntry } from "@/lib/services/memories/read";
import { type ShownMemory, stateOf } from "@/lib/services/memories/shown";
import { Form, SubmitButton } from "../../../_components/forms/form";
import { CategoryChip } from "../../../_components/shown/category-chip";
import { When } from "../../../_components/shown/when";
import { confidenceWords } from "../../../_components/words/confidence";
import { DiffView } from "../../proposals/review/diff/diff-view";
import { restoreAction } from "../actions";
import { causeWords } from "../words";

interface HistoryProps {
  memory: ShownMemory;
  entries: HistoryEntry[];
  isNewest: boolean;
  now: Date;
}

/** Everything that was done to a memory, the last first; each state before can come back. */
export function History({ memory, entries, isNewest, now }: HistoryProps) {
  return (
    <section aria-labelledby="history">
      <h2 id="history" className="text-lead font-semibold">
        History
      </h2>
      {entries.length === 0 ? (
        <p className="mt-1 text-muted">
          {isNewest ? "It is as it was from the beginning." : "Nothing older."}
        </p>
      ) : (
        <ol className="mt-3 flex flex-col divide-y divide-line box">
          {entries.map((entry) => (
            <li key={entry.revisionId} className="flex flex-col gap-2 px-4 py-4 sm:px-6">
              <Entry entry={entry} now={now} />
              {isDifferent(entry, memory) && (
                <Form action={restoreAction} className="flex">
                  <input type="hidden" name="revisionId" value={entry.revisionId} />
                  <input type="hidden" name="seen" value={memory.updatedAt.toISOString()} />
                  <SubmitButton look="secondary">Restore what was before</SubmitButton>
                </Form>
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Entry({ entry, now }: { entry: HistoryEntry; now: Date }) {
  const { cause, at, byOwner, before, after } = entry;
  return (
    <>
      <p>
        <span className="font-semibold">{causeWords[cause]}</span>{" "}
        <span className="text-muted">
          {byOwner && "by you "}
          <When at={at} now={now} />
        </span>
      </p>
      {before.content !== after.content && (
        <DiffView before={before.content} after={after.content} title="What changed" />
      )}
      {before.category !== after.category && (
        <p className="flex flex-wrap items-baseline gap-2">
          <span className="text-muted">From</span>
          <CategoryChip category={before.category} />
          <span className="text-muted">to</span>
          <CategoryChip category={after.category} />
        </p>
      )}
      {before.confidence !== after.confidence && (
        <p>
          <span className="text-muted">From</span> {sureness(before.confidence)}{" "}
          <span className="text-muted">to</span> {sureness(after.confidence)}
        </p>
      )}
      {stateOf(before) !== stateOf(after) && (
        <p className="text-muted">
          It was {stateOf(before)} and became {stateOf(after)}.
        </p>
      )}
    </>
  );
}

function sureness(confidence: number): string {
  return `${confidenceWords(confidence).toLowerCase()} (${confidence.toFixed(2)})`;
}

// A state in which it was deleted is none to go back to.
function isDifferent({ before }: HistoryEntry, memory: ShownMemory): boolean {
  if (before.deletedAt !== null) return false;
  return (
    before.content !== memory.content ||
    before.category !== memory.category ||
    before.confidence !== memory.confidence ||
    stateOf(before) !== stateOf(memory)
  );
}
