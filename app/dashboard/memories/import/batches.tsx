import type { ImportBatch } from "@/lib/services/imports/batches/list-imports";
import type { LeftOut } from "@/lib/services/imports/formats/item";
import { AskOnceMore } from "../../../_components/forms/ask-once-more";
import { Form, SubmitButton } from "../../../_components/forms/form";
import { Refresh } from "../../../_components/refresh";
import { When } from "../../../_components/shown/when";
import { TextLink } from "../../../_components/text-link";
import { counted, list } from "../../../_components/words/list";
import { inboxSearch } from "../../proposals/search";
import { undoImportAction } from "./actions";

interface BatchesProps {
  batches: readonly ImportBatch[];
  now: Date;
}

/** The imports so far, and what came of them. */
export function Batches({ batches, now }: BatchesProps) {
  if (batches.length === 0) return null;
  return (
    <section aria-labelledby="imports">
      <h2 id="imports" className="mb-1.5 text-lead font-semibold">
        Your imports
      </h2>
      <ul className="divide-y divide-line box">
        {batches.map((batch) => (
          <li key={batch.id} className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
            <Batch batch={batch} now={now} />
          </li>
        ))}
      </ul>
      {batches.some(({ unread }) => unread > 0) && <Refresh />}
    </section>
  );
}

function Batch({ batch, now }: { batch: ImportBatch; now: Date }) {
  const { id, agentDid, name, warning, waiting, approved, unread, undoneAt, createdAt } = batch;
  return (
    <>
      <div className="min-w-0 flex-1">
        <p>
          <b className="font-semibold">{name}</b>,{" "}
          <span className="text-muted">
            <When at={createdAt} now={now} />
          </span>
        </p>
        {undoneAt === null && <p className="text-muted">{cameOf(batch)}</p>}
        {warning !== null && <p className="text-muted">{warning}</p>}
        {unread > 0 && (
          <p className="text-muted">
            {counted(unread, "is", "are")} still being compared with what you have.
          </p>
        )}
        {waiting > 0 && (
          <p>
            <TextLink href={inboxSearch.href({ agent: agentDid, group: "kind" })}>
              Decide them
            </TextLink>
          </p>
        )}
      </div>
      {undoneAt !== null && <p className="text-muted">Undone</p>}
      {undoneAt === null && waiting + approved > 0 && (
        <AskOnceMore act="Undo the import" to={`of ${name}`}>
          <p>
            What waits of it goes. Memories that came of it are deleted, and you can restore them
            for 30 days. Those that you changed since stay.
          </p>
          <Form action={undoImportAction} className="">
            <input type="hidden" name="batchId" value={id} />
            <SubmitButton look="danger" aria-label={`Undo it: ${name}`}>
              Undo it
            </SubmitButton>
          </Form>
        </AskOnceMore>
      )}
    </>
  );
}

const whyLeft: Record<LeftOut, string> = {
  empty: "empty",
  "too long": "longer than 10,000 characters",
  archived: "archived there",
  deleted: "deleted there",
  off: "switched off there",
  unreadable: "not readable",
};

function cameOf({ waiting, approved, rejected, known, leftOut }: ImportBatch): string {
  const parts = [
    [waiting, "wait"],
    [approved, "kept"],
    [rejected, "rejected or ended"],
    [known, "known before"],
    ...Object.entries(leftOut).map(([why, count]) => [
      count,
      `left out: ${whyLeft[why as LeftOut] ?? why}`,
    ]),
  ] as const;
  const said = parts.flatMap(([count, words]) =>
    Number(count) > 0 ? [`${Number(count).toLocaleString("en")} ${words}`] : [],
  );
  return said.length === 0 ? "Nothing came of it." : `${list(said)}.`;
}
