import type { Audience } from "@/lib/services/access/audience";
import { restorableDays } from "@/lib/services/memories/purge";
import { type ShownMemory, stateOf } from "@/lib/services/memories/shown";
import { AgentName } from "../../_components/shown/agent-name";
import { CategoryChip } from "../../_components/shown/category-chip";
import { LongText } from "../../_components/shown/long-text";
import { When } from "../../_components/shown/when";
import { confidenceWords } from "../../_components/words/confidence";
import { Readers } from "./readers";

interface MemoryBodyProps {
  memory: ShownMemory;
  audience: Audience | undefined;
  now: Date;
}

/** The content of a memory, its origin, and who may read it. */
export function MemoryBody({ memory, audience, now }: MemoryBodyProps) {
  const { content, category, confidence } = memory;
  return (
    <>
      <LongText text={content} className="text-base leading-snug" />
      <div className="mt-2 flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <CategoryChip category={category} />
        <span className="text-xs" title="How sure it is, from 0 to 1">
          {confidenceWords(confidence)}{" "}
          <span className="text-muted tabular-nums">({confidence.toFixed(2)})</span>
        </span>
        <Readers state={stateOf(memory)} audience={audience} />
      </div>
      <div className="mt-2 text-xs text-muted">
        <Came memory={memory} now={now} />
        <Changed memory={memory} now={now} />
      </div>
    </>
  );
}

function Came({ memory, now }: { memory: ShownMemory; now: Date }) {
  const { source, agent, proposedAt, createdAt } = memory;
  const at = <When at={createdAt} now={now} />;
  if (agent === null) {
    return (
      <>
        {source === "imported" ? "Imported" : "Added by you"} {at}
      </>
    );
  }
  return (
    <>
      From <AgentName agent={agent} className="font-medium text-ink" />, proposed{" "}
      {proposedAt !== null && <When at={proposedAt} now={now} />}, approved by you {at}
    </>
  );
}

const changes = {
  created: null,
  edited: "Edited",
  moved: "Moved",
  replaced: "Replaced by a newer one",
  archived: "Archived",
  deleted: "Deleted",
  restored: "Restored",
};

const dayMs = 24 * 60 * 60_000;

function Changed({ memory, now }: { memory: ShownMemory; now: Date }) {
  const { lastChange, updatedAt, deletedAt } = memory;
  const word = lastChange === null ? null : changes[lastChange];
  return (
    <>
      {word !== null && (
        <>
          {" · "}
          {word} <When at={updatedAt} now={now} />
        </>
      )}
      {deletedAt !== null && (
        <>
          {" · Gone for good "}
          <When at={new Date(deletedAt.getTime() + restorableDays * dayMs)} now={now} />
        </>
      )}
    </>
  );
}
