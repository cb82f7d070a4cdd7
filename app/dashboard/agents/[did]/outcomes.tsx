import Link from "next/link";
import type { ActivityEvent } from "@/lib/services/activity/activity-event";
import type { AgentDossier } from "@/lib/services/agents/known/find-known";
import { When } from "../../../_components/shown/when";
import { counted } from "../../../_components/words/list";
import { Parts } from "../../activity/sentence/event-sentence";
import { sentenceOf } from "../../activity/sentence/sentence";
import { inboxSearch } from "../../proposals/search";
import { activityHref } from "../agent-href";

const outcomes = [
  ["approved", "kept", "fill-open"],
  ["rejected", "rejected", "fill-danger"],
  ["expired", "ended unanswered", "fill-chart-others"],
  ["takenBack", "taken back by it", "fill-chart-2"],
  ["pending", "wait for you", "fill-signal"],
  ["held", "held apart", "fill-chart-5"],
] as const;

/** What came of its proposals. */
export function Outcomes({ dossier: { agent, proposals } }: { dossier: AgentDossier }) {
  const all = Object.values(proposals).reduce((sum, count) => sum + count, 0);
  const shown = outcomes.filter(([name]) => proposals[name] > 0);
  return (
    <section aria-labelledby="outcomes">
      <h2 id="outcomes" className="mb-1.5 text-lead font-semibold">
        What came of it
      </h2>
      {all === 0 ? (
        <p className="text-muted">It has proposed nothing yet.</p>
      ) : (
        <div className="box px-4 py-3.5">
          <p className="mb-2">
            <Link href={inboxSearch.href({ agent: agent.did })} className="link font-semibold">
              {counted(all, "proposal")} in all
            </Link>
          </p>
          <Bar proposals={proposals} all={all} />
          <ul className="mt-2.5 text-small">
            {shown.map(([name, words, fill]) => (
              <li key={name} className="flex items-center gap-2 py-0.5">
                <svg className="size-3 flex-none" aria-hidden="true">
                  <rect width="100%" height="100%" className={fill} />
                </svg>
                <span className="font-semibold tabular-nums">
                  {proposals[name].toLocaleString("en")}
                </span>
                {words}
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function Bar({ proposals, all }: Pick<AgentDossier, "proposals"> & { all: number }) {
  let before = 0;
  return (
    <svg className="block h-3 w-full" aria-hidden="true">
      {outcomes.map(([name, , fill]) => {
        const [x, width] = [before, (100 * proposals[name]) / all];
        before += width;
        return (
          <rect
            key={name}
            x={`${x}%`}
            width={`${width}%`}
            height="100%"
            className={`${fill} stroke-surface stroke-2`}
          />
        );
      })}
    </svg>
  );
}

interface LastDeedsProps {
  agentDid: string;
  events: readonly ActivityEvent[];
  now: Date;
}

/** What it did last. */
export function LastDeeds({ agentDid, events, now }: LastDeedsProps) {
  return (
    <section aria-labelledby="deeds">
      <h2 id="deeds" className="text-lead font-semibold">
        What it did last
      </h2>
      {events.length === 0 ? (
        <p className="text-muted">It has not been here yet.</p>
      ) : (
        <>
          <ol className="mt-1.5 divide-y divide-line border-y border-line text-small">
            {events.map((event) => (
              <li key={event.id} className="flex items-baseline justify-between gap-3 py-2">
                <Deed event={event} />
                <span className="text-muted">
                  <When at={event.at} now={now} />
                </span>
              </li>
            ))}
          </ol>
          <Link
            href={activityHref(agentDid)}
            className="mt-2 inline-flex min-h-6 items-center link"
          >
            All that it did
          </Link>
        </>
      )}
    </section>
  );
}

// Without who: the page says that.
function Deed({ event }: { event: ActivityEvent }) {
  const [, , ...deed] = sentenceOf(event);
  return (
    <span className="inline-block min-w-0 wrap-anywhere first-letter:uppercase">
      <Parts parts={deed} />
    </span>
  );
}
