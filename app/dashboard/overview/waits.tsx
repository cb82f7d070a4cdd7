import type { ReactNode } from "react";
import { withoutSecrets } from "@/lib/rules/guard/without-secrets";
import type { PendingConsent } from "@/lib/services/access/consents";
import type { Overview } from "@/lib/services/overview";
import { ButtonLink } from "../../_components/button";
import { Icon } from "../../_components/icon";
import {
  AgentName,
  agentLabel,
  agentWords,
  type NamedAgent,
} from "../../_components/shown/agent-name";
import { Identicon } from "../../_components/shown/identicon";
import { InertText } from "../../_components/shown/inert-text";
import { When } from "../../_components/shown/when";
import { categoryWords } from "../../_components/words/category";
import { counted } from "../../_components/words/list";

interface WaitsProps {
  overview: Overview;
  requests: PendingConsent[];
  now: Date;
}

/** What waits for an answer of the owner's, with a way to give it. */
export function Waits({ overview, requests, now }: WaitsProps) {
  const { proposals } = overview;
  return (
    <section aria-labelledby="waits">
      <h2 id="waits" className="mb-2 text-lead font-semibold">
        What do agents want to remember about you?
      </h2>
      <div className="grid items-stretch gap-3.5 rail:grid-cols-[minmax(0,1fr)_264px]">
        {proposals.count === 0 ? (
          <Nothing>Nothing waits in your inbox. What agents propose appears here.</Nothing>
        ) : (
          <Proposals overview={overview} now={now} />
        )}
        {overview.requests === 0 ? (
          <Nothing>No agent asks to read more.</Nothing>
        ) : (
          <Requests count={overview.requests} requests={requests} />
        )}
      </div>
    </section>
  );
}

function Nothing({ children }: { children: string }) {
  return <p className="box px-4.5 py-4 text-muted">{children}</p>;
}

function Count({ count, children }: { count: number; children: ReactNode }) {
  return (
    <p className="flex items-center gap-2 font-semibold">
      <span className="min-w-10 rounded-control bg-signal px-2 text-center text-title leading-8 font-bold text-on-signal tabular-nums forced-colors:border">
        {count.toLocaleString("en")}
      </span>
      {children}
    </p>
  );
}

function Proposals({ overview, now }: Pick<WaitsProps, "overview" | "now">) {
  const { count, sensitive, nextEnd, claim, agents } = overview.proposals;
  const isOwner = (agent: NamedAgent) => agent.did === overview.did;
  const nameOf = (agent: NamedAgent) => (isOwner(agent) ? "You" : markedName(agent));
  return (
    <div className="flex min-w-0 flex-col theirs px-4.5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Count count={count}>{count === 1 ? "waits" : "wait"} in the inbox</Count>
        <ul aria-label="By agent" className="flex flex-wrap gap-3 text-theirs-muted tabular-nums">
          {agents.map(({ agent, count }) => (
            <li key={agent.did} className="flex items-center gap-1.5" title={nameOf(agent)}>
              <Identicon did={agent.did} className="size-5.5" />
              <span className="sr-only">{nameOf(agent)}: </span>
              {count.toLocaleString("en")}
            </li>
          ))}
        </ul>
      </div>
      {claim !== null && (
        <div className="my-2.5 flex items-start gap-2.5">
          <Identicon did={claim.agent.did} className="mt-0.5 size-10" />
          <div className="min-w-0">
            <p className="text-small text-theirs-muted">
              {isOwner(claim.agent) ? "You" : <AgentName agent={claim.agent} className="" />}
            </p>
            <p className="line-clamp-3 text-lead font-medium text-pretty">
              <InertText text={withoutSecrets(claim.content)} />
            </p>
          </div>
        </div>
      )}
      <div className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-2">
        <ButtonLink href="/dashboard/proposals">
          Start deciding
          <Icon icon="arrow-right" className="size-4" />
        </ButtonLink>
        <p className="text-small text-theirs-muted">
          {sensitive > 0 && `${sensitive.toLocaleString("en")} sensitive · `}
          {nextEnd !== null && (
            <>
              next ends <When at={nextEnd} now={now} />
            </>
          )}
        </p>
      </div>
    </div>
  );
}

function markedName(agent: NamedAgent): string {
  return `${agentWords(agent)}, ${agent.verified ? "verified" : "not verified"}`;
}

function Requests({ count, requests }: { count: number; requests: PendingConsent[] }) {
  return (
    <div className="flex min-w-0 flex-col theirs px-4.5 py-4">
      <Count count={count}>{count === 1 ? "asks" : "ask"} to read more</Count>
      <ul className="my-2.5 flex flex-col gap-1.5 text-small">
        {requests.map(({ id, agent, scopes }) => (
          <li key={id} className="flex items-center gap-2">
            <Identicon did={agent.did} className="size-5.5" />
            <span className="min-w-0 truncate">
              <InertText text={agentLabel(agent)} />: {scopesWords(scopes)}
            </span>
          </li>
        ))}
      </ul>
      <ButtonLink href="/dashboard/access" look="secondary" className="mt-auto self-start">
        Look and answer
      </ButtonLink>
    </div>
  );
}

function scopesWords([first = "", ...more]: readonly string[]): string {
  return more.length === 0
    ? categoryWords(first)
    : counted(more.length + 1, "category", "categories");
}
