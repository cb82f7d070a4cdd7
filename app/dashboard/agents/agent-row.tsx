import Link from "next/link";
import type { KnownAgent } from "@/lib/services/agents/known/list-known";
import { AgentName, agentLabel } from "../../_components/shown/agent-name";
import { InertText } from "../../_components/shown/inert-text";
import { When } from "../../_components/shown/when";
import { visibleText } from "../../_components/words/inert";
import { counted, list } from "../../_components/words/list";
import { agentHref } from "./agent-href";
import { reachWords } from "./reach-words";

interface AgentRowProps {
  known: KnownAgent;
  now: Date;
}

/** One agent in a line or two, linked to its page. */
export function AgentRow({ known, now }: AgentRowProps) {
  const { agent, operator, state, reads, proposes, firstSeenAt, lastSeenAt } = known;
  return (
    <article className="relative px-4 py-4 hover:bg-sunken sm:px-6">
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 className="min-w-0 text-sm">
          <Link
            href={agentHref(agent.did)}
            prefetch={false}
            className="after:absolute after:inset-0"
          >
            <AgentName agent={agent} />
          </Link>
        </h2>
        <p className="text-xs text-muted">
          {lastSeenAt === null ? (
            "Not seen here yet"
          ) : (
            <>
              Last seen <When at={lastSeenAt} now={now} />
              {firstSeenAt !== null && firstSeenAt < lastSeenAt && (
                <>
                  , first <When at={firstSeenAt} now={now} />
                </>
              )}
            </>
          )}
        </p>
      </header>
      {operator !== null && (
        <p className="text-xs text-muted">
          Run by <InertText text={operator} />
          {!agent.verified && ", as it says itself"}
        </p>
      )}
      <p className="mt-1">
        {state === "active" ? reachWords(reads, proposes) : conditionWords[state]}
      </p>
      <Waiting known={known} />
    </article>
  );
}

export const conditionWords = {
  pending: "Waits for an admin of this gateway to approve it; until then it reaches nothing.",
  suspended: "An admin of this gateway has suspended it: it reaches nothing while that lasts.",
  unknown: "This gateway does not know it any more, so it reaches nothing.",
};

function Waiting({
  known: { agent, standing, proposals, requests, tokens },
}: {
  known: KnownAgent;
}) {
  const waits = [
    ...(proposals > 0 ? [counted(proposals, "proposal")] : []),
    ...(requests > 0 ? [counted(requests, "access request")] : []),
  ];
  const facts = [
    standing === "disconnected" && "Disconnected",
    tokens > 0 && counted(tokens, "connection token"),
    waits.length > 0 && `${list(waits)} waiting for you`,
  ].filter((one) => one !== false);
  if (facts.length === 0) return null;
  return (
    <p className="mt-1 text-xs text-muted">
      <span className="sr-only">{visibleText(agentLabel(agent))}: </span>
      {facts.join(" · ")}
    </p>
  );
}
