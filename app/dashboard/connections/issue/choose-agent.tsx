import Link from "next/link";
import type { ChosenAgent } from "@/lib/services/tokens/token-choices";
import { Button } from "../../../_components/button";
import { Empty } from "../../../_components/empty";
import { AgentName, agentLabel } from "../../../_components/shown/agent-name";
import { InertText } from "../../../_components/shown/inert-text";
import { visibleText } from "../../../_components/words/inert";

interface ChooseAgentProps {
  agents: ChosenAgent[];
  /** The text that was searched for. */
  text: string;
  hasMore: boolean;
}

export function ChooseAgent({ agents, text, hasMore }: ChooseAgentProps) {
  return (
    <>
      <search>
        <form action="/dashboard/connections/issue" className="flex flex-wrap gap-3">
          <label htmlFor="agent-search" className="sr-only">
            Search agents
          </label>
          <input
            id="agent-search"
            key={text}
            type="search"
            name="q"
            maxLength={100}
            defaultValue={text}
            placeholder="Name, operator or identifier"
            className="min-h-10 min-w-0 flex-1 basis-60 rounded-box border border-edge bg-surface px-3 text-base sm:max-w-80 sm:text-sm"
          />
          <Button type="submit" look="secondary">
            Search
          </Button>
        </form>
      </search>
      {agents.length === 0 ? (
        <None text={text} />
      ) : (
        <ul
          aria-label="Agents"
          className="divide-y divide-line rounded-box border border-line bg-surface shadow-raised"
        >
          {agents.map((agent) => (
            <li key={agent.did} className="relative px-4 py-3 hover:bg-sunken sm:px-6">
              <Choice agent={agent} />
            </li>
          ))}
        </ul>
      )}
      {hasMore && <p className="text-muted">There are more. Search for the one you mean.</p>}
    </>
  );
}

function Choice({ agent }: { agent: ChosenAgent }) {
  const { did, operator } = agent;
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
      <div className="min-w-0">
        <AgentName agent={agent} />
        <p className="text-xs text-muted">
          {operator !== null && (
            <>
              Run by <InertText text={operator} /> ·{" "}
            </>
          )}
          <span className="font-mono wrap-anywhere">{did}</span>
        </p>
      </div>
      <Link
        href={`/dashboard/connections/issue?agent=${encodeURIComponent(did)}`}
        prefetch={false}
        className="font-medium text-accent after:absolute after:inset-0"
      >
        Choose<span className="sr-only"> {visibleText(agentLabel(agent))}</span>
      </Link>
    </div>
  );
}

function None({ text }: { text: string }) {
  if (text === "") {
    return (
      <Empty title="This gateway has no active agent yet">
        An agent registers itself with its key; an admin may have to approve it. Then it stands
        here.
      </Empty>
    );
  }
  return (
    <Empty title="No active agent matches">
      <Link
        href="/dashboard/connections/issue"
        className="text-accent underline underline-offset-4"
      >
        Show all
      </Link>{" "}
      instead.
    </Empty>
  );
}
