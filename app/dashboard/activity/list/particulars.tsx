import type { ReactNode } from "react";
import type { PolicyLine } from "@/lib/services/access/policy-lines";
import { type ActivityEvent, leftOut, reasonBefore } from "@/lib/services/activity/activity-event";
import { CopyButton } from "../../../_components/copy-button";
import { readerZone } from "../../../_components/shell/reader-zone";
import { AgentName } from "../../../_components/shown/agent-name";
import { CategoryChip } from "../../../_components/shown/category-chip";
import { InertText } from "../../../_components/shown/inert-text";
import { ExactTime } from "../../../_components/shown/when";
import { counted } from "../../../_components/words/list";
import { purposeWords } from "../../../_components/words/purpose";
import { policySentence } from "../../policy-sentence";
import { ruleWords } from "../sentence/why";

interface ParticularsProps {
  event: ActivityEvent;
  policies: ReadonlyMap<string, PolicyLine>;
}

/** Shows everything that the log holds of one event. */
export function Particulars({ event, policies }: ParticularsProps) {
  const more = leftOut(event);
  const reason = reasonBefore(event);
  const raw = (scope: string) => <Raw text={scope} />;
  return (
    <dl className="grid gap-x-4 border-t border-line px-3 pt-3 pb-1 sm:grid-cols-[7.5rem_minmax(0,1fr)] [&>dd]:mb-3 [&>dd]:min-w-0 [&>dd]:wrap-anywhere [&>dt]:text-muted">
      <Line name="When">
        <ExactTime at={event.at} />
      </Line>
      <Line name="Who">{event.agent && <AgentName agent={event.agent} />}</Line>
      <Scopes name="Asked for" scopes={event.asked} more={more.asked} beside={raw} />
      <Scopes name="Granted" scopes={event.granted} more={more.granted} beside={raw} />
      <Scopes name="Denied" scopes={event.denied} more={more.denied} beside={raw} />
      <Line name="For">
        {event.purposeType && (
          <>
            <InertText text={purposeWords(event.purposeType)} /> <Raw text={event.purposeType} />
          </>
        )}
      </Line>
      <Scopes
        name="Handed out"
        scopes={Object.keys(event.items)}
        more={more.items}
        beside={(category) => counted(event.items[category] ?? 0, "item")}
      />
      <Scopes
        name="Why"
        isColumn
        scopes={Object.keys(event.reasons)}
        more={more.reasons}
        beside={(scope) => <Reason reason={event.reasons[scope]} policies={policies} />}
      />
      <Line name="Reason then">{reason !== null && <InertText text={reason} />}</Line>
      <Line name="Receipt">{event.receiptId && <Raw text={event.receiptId} />}</Line>
      <Line name="About">{event.subjectId && <Raw text={event.subjectId} />}</Line>
      <Line name="In the log as">
        <Raw text={`${event.verb}, ${event.outcome}, by ${event.actorId}`} />
      </Line>
      <Line name="Request id">
        <Raw text={event.requestId} /> <CopyButton text={event.requestId} what="request id" />
      </Line>
    </dl>
  );
}

/** Nothing where there is nothing of this name. */
function Line({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === false || children === "") return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Raw({ text }: { text: string }) {
  return (
    <code className="font-mono text-small text-muted">
      <InertText text={text} />
    </code>
  );
}

interface ScopesProps {
  name: string;
  scopes: readonly string[];
  /** How many the log had left out. */
  more: number | undefined;
  /** What is said of each. */
  beside: (scope: string) => ReactNode;
  isColumn?: boolean;
}

const shownMax = 10;

/** Scopes with what is said of each; counts those that the page and the log leave out. */
function Scopes({ name, scopes, more = 0, beside, isColumn = false }: ScopesProps) {
  const rest = Math.max(0, scopes.length - shownMax) + more;
  if (scopes.length === 0) return null;
  return (
    <Line name={name}>
      <ul className={`flex gap-x-4 gap-y-1 ${isColumn ? "flex-col" : "flex-wrap"}`}>
        {scopes.slice(0, shownMax).map((scope) => (
          <li key={scope} className="flex flex-wrap items-baseline gap-x-2">
            <CategoryChip category={scope} /> {beside(scope)}
          </li>
        ))}
        {rest > 0 && <li className="text-muted">and {rest} more</li>}
      </ul>
    </Line>
  );
}

interface ReasonProps {
  reason: ActivityEvent["reasons"][string] | undefined;
  policies: ParticularsProps["policies"];
}

async function Reason({ reason, policies }: ReasonProps) {
  if (reason === undefined) return null;
  const zone = await readerZone();
  const { rule, policyId } = reason;
  const policy = policyId === null ? undefined : policies.get(policyId);
  return (
    <span>
      {ruleWords(rule)}
      {policyId !== null && (
        <span className="text-muted" title={policyId}>
          {policy === undefined ? ", one that is gone by now" : `: ${policySentence(policy, zone)}`}
        </span>
      )}
    </span>
  );
}
