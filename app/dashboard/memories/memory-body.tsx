import type { Audience } from "@/lib/services/access/sight/audience";
import { goneAt } from "@/lib/services/memories/purge";
import { type ShownMemory, stateOf } from "@/lib/services/memories/shown";
import { AgentName } from "../../_components/shown/agent-name";
import { CategoryChip } from "../../_components/shown/category-chip";
import { InertText } from "../../_components/shown/inert-text";
import { LongText } from "../../_components/shown/long-text";
import { When } from "../../_components/shown/when";
import { confidenceWords } from "../../_components/words/confidence";
import { visibleText } from "../../_components/words/inert";
import { AudienceButton } from "../audience/audience-button";
import { audienceWords } from "../audience/audience-words";
import { beginningOf } from "./beginning";
import { causeWords } from "./words";

interface MemoryBodyProps {
  memory: ShownMemory;
  audience: Audience | undefined;
  now: Date;
}

/** The content of a memory, its origin, and who may read it. */
export function MemoryBody({ memory, audience, now }: MemoryBodyProps) {
  const { content, category, confidence } = memory;
  const title = beginningOf(content);
  return (
    <>
      <h1 className="text-title font-semibold tracking-tight">
        <InertText text={title} />
      </h1>
      {title !== visibleText(content) && (
        <div className="mt-2">
          <LongText text={content} />
        </div>
      )}
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1">
        <CategoryChip category={category} />
        <span className="text-small" title="How sure it is, from 0 to 1">
          {confidenceWords(confidence)}{" "}
          <span className="text-muted tabular-nums">({confidence.toFixed(2)})</span>
        </span>
      </div>
      <div className="mt-2 text-small">
        {stateOf(memory) === "live" ? (
          audience !== undefined && (
            <AudienceButton audience={audience} words={`Now, ${audienceWords(audience)}`} />
          )
        ) : (
          <p className="text-muted">No agent can read it.</p>
        )}
      </div>
      <div className="mt-2 text-small text-muted">
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
      {proposedAt !== null && <When at={proposedAt} now={now} />}, approved by{" "}
      <Approver memory={memory} /> {at}
    </>
  );
}

/** "you", and who decided in your place. */
export function Approver({ memory }: { memory: Pick<ShownMemory, "approvedBy" | "reviewer"> }) {
  const { approvedBy, reviewer } = memory;
  if (approvedBy === "owner") return "you";
  if (approvedBy === "rule") return "your rule, without you,";
  return reviewer === null ? "a reviewer" : <InertText text={reviewer} />;
}

function Changed({ memory, now }: { memory: ShownMemory; now: Date }) {
  const { lastChange, updatedAt } = memory;
  const end = goneAt(memory);
  return (
    <>
      {lastChange !== null && lastChange !== "created" && (
        <>
          {" · "}
          {causeWords[lastChange]} <When at={updatedAt} now={now} />
        </>
      )}
      {end !== null && (
        <>
          {" · Gone for good "}
          <When at={end} now={now} />
        </>
      )}
    </>
  );
}
