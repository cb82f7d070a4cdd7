import Link from "next/link";
import type { ActivityEvent } from "@/lib/services/activity/activity-event";
import type { AgentDossier } from "@/lib/services/agents/known/find-known";
import { AgentName } from "../../../_components/shown/agent-name";
import { When } from "../../../_components/shown/when";
import { sentenceOf } from "../../activity/sentence/sentence";

interface RecentProps {
  dossier: AgentDossier;
  events: ActivityEvent[];
  now: Date;
}

/** Shows what the agent did lately, and what became of its proposals. */
export function Recent({ dossier: { agent, proposals }, events, now }: RecentProps) {
  const { pending, approved, rejected } = proposals;
  const link = "text-accent underline underline-offset-4";
  return (
    <>
      <dl className="mb-4 grid grid-cols-3 gap-3">
        <Count name="Waiting" count={pending} />
        <Count name="Approved" count={approved} />
        <Count name="Rejected" count={rejected} />
      </dl>
      {pending + approved + rejected > 0 && (
        <p className="mb-4">
          <Link
            href={`/dashboard/proposals?${new URLSearchParams({ agent: agent.did })}`}
            className={link}
          >
            Its proposals
          </Link>
        </p>
      )}
      {events.length === 0 ? (
        <p className="text-muted">It has not been here yet.</p>
      ) : (
        <>
          <ol className="flex wrap-anywhere flex-col divide-y divide-line">
            {events.map((event) => (
              <li key={event.id} className="py-2">
                <Deed event={event} />
                <p className="text-xs text-muted">
                  <When at={event.at} now={now} />
                </p>
              </li>
            ))}
          </ol>
          <p className="mt-3">
            <Link
              href={`/dashboard/activity?${new URLSearchParams({ who: agent.did })}`}
              className={link}
            >
              All that it did
            </Link>
          </p>
        </>
      )}
    </>
  );
}

// Without who: the page says that.
function Deed({ event }: { event: ActivityEvent }) {
  const [, , ...deed] = sentenceOf(event);
  const keyed = deed.map((part, place) => ({ part, place }));
  return (
    <span className="inline-block max-w-full first-letter:uppercase">
      {keyed.map(({ part, place }) =>
        typeof part === "string" ? part : <AgentName key={place} agent={part.agent} />,
      )}
    </span>
  );
}

function Count({ name, count }: { name: string; count: number }) {
  return (
    <div className="rounded-box bg-sunken px-3 py-2">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="font-medium tabular-nums">{count.toLocaleString("en")}</dd>
    </div>
  );
}
