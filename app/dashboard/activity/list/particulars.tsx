import type { ReactNode } from "react";
import { type ActivityEvent, leftOut, reasonBefore } from "@/lib/services/activity/activity-event";
import type { PolicyLine } from "@/lib/services/overview";
import { CopyButton } from "../../../_components/copy-button";
import { CategoryChip } from "../../../_components/shown/category-chip";
import { InertText } from "../../../_components/shown/inert-text";
import { counted } from "../../../_components/words/list";
import { purposeWord } from "../../../_components/words/purpose";
import { exactTime } from "../../../_components/words/time";
import { policySentence } from "../../policy-sentence";
import { ruleWords } from "../sentence/why";

interface ParticularsProps {
  event: ActivityEvent;
  policies: ReadonlyMap<string, PolicyLine>;
}

/** Shows everything that the log holds of one event. */
export function Particulars({ event, policies }: ParticularsProps) {
  const { granted, denied, purposeType } = event;
  const more = leftOut(event);
  const reason = reasonBefore(event);
  return (
    <dl className="flex flex-col gap-3 pt-1 pb-5">
      <Line name="When">{exactTime(event.at)}</Line>
      {event.asked.length > 0 && (
        <Line name="Asked for">{<Scopes scopes={event.asked} more={more.asked} />}</Line>
      )}
      {granted.length > 0 && (
        <Line name="Granted">{<Scopes scopes={granted} more={more.granted} />}</Line>
      )}
      {denied.length > 0 && (
        <Line name="Denied">{<Scopes scopes={denied} more={more.denied} />}</Line>
      )}
      {purposeType !== null && (
        <Line name="For">
          {purposeWord(purposeType).text} <Raw text={purposeType} />
        </Line>
      )}
      <Items items={event.items} more={more.items} />
      <Reasons reasons={event.reasons} policies={policies} more={more.reasons} />
      {reason !== null && (
        <Line name="Reason then">
          <InertText text={reason} />
        </Line>
      )}
      {event.receiptId !== null && <Line name="Receipt">{<Raw text={event.receiptId} />}</Line>}
      {event.subjectId !== null && <Line name="About">{<Raw text={event.subjectId} />}</Line>}
      <Line name="In the log as">
        <Raw text={`${event.verb}, ${event.outcome}, by ${event.actorId}`} />
      </Line>
      <Line name="Request id">
        <Raw text={event.requestId} /> <CopyButton text={event.requestId} what="request id" />
      </Line>
    </dl>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 sm:grid-cols-[7.5rem_minmax(0,1fr)]">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}

function Raw({ text }: { text: string }) {
  return <code className="font-mono text-xs text-muted">{text}</code>;
}

/** How many entries a list leaves out. */
interface Cut {
  more: number | undefined;
}

const entriesMax = 10;

/** Counts the entries that the page leaves out, and those that the log had left out. */
function AndMore({ count, more = 0 }: Cut & { count: number }) {
  const rest = Math.max(0, count - entriesMax) + more;
  return rest === 0 ? null : <li className="text-muted">and {rest} more</li>;
}

function Scopes({ scopes, more }: { scopes: readonly string[] } & Cut) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1">
      {scopes.slice(0, entriesMax).map((scope) => (
        <li key={scope} className="flex flex-wrap items-baseline gap-x-2">
          <CategoryChip category={scope} /> <Raw text={scope} />
        </li>
      ))}
      <AndMore count={scopes.length} more={more} />
    </ul>
  );
}

function Items({ items, more }: Pick<ActivityEvent, "items"> & Cut) {
  const counts = Object.entries(items);
  if (counts.length === 0) return null;
  return (
    <Line name="Handed out">
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {counts.slice(0, entriesMax).map(([category, count]) => (
          <li key={category} className="flex items-baseline gap-2">
            <CategoryChip category={category} /> {counted(count, "item")}
          </li>
        ))}
        <AndMore count={counts.length} more={more} />
      </ul>
    </Line>
  );
}

function Reasons({
  reasons,
  policies,
  more,
}: Pick<ActivityEvent, "reasons"> & Pick<ParticularsProps, "policies"> & Cut) {
  const entries = Object.entries(reasons);
  if (entries.length === 0) return null;
  return (
    <Line name="Why">
      <ul className="flex flex-col gap-1">
        {entries.slice(0, entriesMax).map(([scope, { rule, policyId }]) => (
          <li key={scope}>
            <CategoryChip category={scope} /> {ruleWords(rule)}
            {policyId !== null && <PolicyNamed id={policyId} policy={policies.get(policyId)} />}
          </li>
        ))}
        <AndMore count={entries.length} more={more} />
      </ul>
    </Line>
  );
}

function PolicyNamed({ id, policy }: { id: string; policy: PolicyLine | undefined }) {
  return (
    <span className="text-muted" title={id}>
      {policy === undefined ? ", one that is gone by now" : `: ${policySentence(policy)}`}
    </span>
  );
}
