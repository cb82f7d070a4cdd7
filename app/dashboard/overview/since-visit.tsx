import Link from "next/link";
import type { AgentChanges } from "@/lib/services/activity/changes-since";
import { Card } from "../../_components/card";
import { AgentName } from "../../_components/shown/agent-name";
import { When } from "../../_components/shown/when";
import { changesWords } from "./changes-words";

interface SinceVisitProps {
  since: Date;
  changes: AgentChanges[];
  now: Date;
}

const shownMax = 6;

/** What agents did since the owner's last visit. */
export function SinceVisit({ since, changes, now }: SinceVisitProps) {
  const more = changes.length - shownMax;
  return (
    <Card title="Since your last visit">
      <p className="-mt-2 text-muted">
        You were here <When at={since} now={now} />.
      </p>
      {changes.length === 0 ? (
        <p className="mt-3">No agent has read, asked or proposed anything since.</p>
      ) : (
        <ul className="mt-3 flex flex-col gap-2">
          {changes.slice(0, shownMax).map((one) => (
            <li key={one.agent.did}>
              <AgentName agent={one.agent} /> {one.isNew && "came for the first time: "}
              {changesWords(one)}
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p className="mt-2 text-muted">And {more} more.</p>}
      <p className="mt-4">
        <Link
          href="/dashboard/activity"
          className="font-medium text-accent underline underline-offset-4"
        >
          All activity
        </Link>
      </p>
    </Card>
  );
}
