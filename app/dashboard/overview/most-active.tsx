import Link from "next/link";
import type { AgentChanges } from "@/lib/services/activity/changes-since";
import { Card } from "../../_components/card";
import { AgentName } from "../../_components/shown/agent-name";
import { activityHref } from "../activity/filter";
import { changesWords } from "./changes-words";

const shownMax = 5;

/** The most active agents of the last seven days. The bars repeat the numbers. */
export function MostActive({ changes }: { changes: AgentChanges[] }) {
  const shown = changes.slice(0, shownMax);
  const most = Math.max(1, ...shown.map(total));
  return (
    <Card title="Most active in the last 7 days">
      {shown.length === 0 ? (
        <p className="text-muted">No agent was here in the last 7 days.</p>
      ) : (
        <ul className="flex flex-col gap-3">
          {shown.map((one) => (
            <li key={one.agent.did}>
              <p className="flex flex-wrap items-baseline gap-x-2">
                <Link
                  href={activityHref({ who: one.agent.did, period: "7d" })}
                  className="rounded-box hover:underline"
                >
                  <AgentName agent={one.agent} />
                </Link>
                <span className="text-muted">{changesWords(one)}</span>
              </p>
              <div aria-hidden="true" className="mt-1 h-1.5 rounded-box bg-sunken">
                <div
                  className="h-full rounded-box bg-accent"
                  style={{ width: `${Math.max(1, (total(one) / most) * 100)}%` }}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function total({ reads, proposals, refused }: AgentChanges): number {
  return reads + proposals + refused;
}
