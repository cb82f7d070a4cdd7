import type { Audience } from "@/lib/services/access/audience";
import type { InboxItem } from "@/lib/services/proposals/inbox";
import { AgentName } from "../../../_components/shown/agent-name";
import { CategoryChip } from "../../../_components/shown/category-chip";
import { InertText } from "../../../_components/shown/inert-text";
import { LongText } from "../../../_components/shown/long-text";
import { When } from "../../../_components/shown/when";
import { confidenceWords } from "../../../_components/words/confidence";
import { hiddenCount } from "../../../_components/words/inert";
import { counted } from "../../../_components/words/list";
import { AudienceLine } from "../../audience/audience-line";

interface CardBodyProps {
  item: InboxItem;
  audience: Audience | undefined;
  now: Date;
}

/** Shows who wants what remembered, and why. */
export function CardBody({ item, audience, now }: CardBodyProps) {
  const { agent, category, confidence, content, context, proposedAt, expiresAt } = item;
  const hidden = hiddenCount(content);
  return (
    <>
      {/* Room for the checkbox. */}
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 pl-7">
        <h2 className="min-w-0 text-sm">
          <AgentName agent={agent} /> <span className="text-muted">proposes to remember</span>
        </h2>
        <p className="text-xs text-muted">
          <When at={proposedAt} now={now} /> · expires <When at={expiresAt} now={now} />
        </p>
      </header>
      <Claim text={content} />
      {hidden > 0 && (
        <p className="mt-2 text-danger">
          Holds {counted(hidden, "character")} that cannot be seen; the first of them are shown
          above by code. Approving it as it is keeps them; editing leaves them out.
        </p>
      )}
      <div className="mt-3 flex flex-wrap items-baseline gap-x-4 gap-y-2">
        <CategoryChip category={category} />
        <span title="How sure the agent says it is, from 0 to 1">
          {confidenceWords(confidence)}{" "}
          <span className="text-muted tabular-nums">({confidence.toFixed(2)})</span>
        </span>
      </div>
      {context !== null && context !== "" && (
        <div className="mt-3 text-muted">
          <span className="text-xs">Why, in its words</span>
          <blockquote className="overflow-clip border-l-2 border-edge/40 pl-3">
            <InertText text={context} lines />
          </blockquote>
        </div>
      )}
      <div className="mt-3">
        <AudienceLine when="If you keep this" audience={audience} />
      </div>
    </>
  );
}

// Boxed, so that it is nobody's but the agent's.
export function Claim({ text, small = false }: { text: string; small?: boolean }) {
  return (
    <div
      className={`rounded-box border border-line bg-sunken ${small ? "mt-2 px-3 py-2" : "mt-3 px-4 py-3"}`}
    >
      <LongText text={text} className={small ? "" : "text-lg leading-snug"} />
    </div>
  );
}
